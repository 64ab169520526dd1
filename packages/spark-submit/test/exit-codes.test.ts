import { describe, expect, test } from "vitest";
import { APP, driversIn, NAMESPACE, startCluster } from "./fixtures/cluster.ts";
import { sparkSubmit, startSparkSubmit } from "./fixtures/spark-submit.ts";

describe("exit codes are spark-submit's", () => {
  test.each([
    [[], 255],
    [["--usage-error"], 1],
    [["--help"], 0],
    [["--help", "--master", "local"], 0],
  ])("%j prints the usage on stderr", async (args, expected) => {
    const { code, stdout, stderr } = await sparkSubmit(args);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(stderr).toMatch(/^Usage: spark-submit \[options\] <app jar \| python file \| R file> \[app arguments\]\n/);
    expect(stderr).toContain("--properties-file FILE");
    expect(stderr).not.toContain("--dry-run");
  });

  test("--help behind the application is the application's", async () => {
    const cluster = await startCluster();
    const { code, stderr } = await sparkSubmit([...cluster.flags(), ...APP, "--help"]);
    expect({ code, usage: stderr.includes("Usage:") }).toEqual({ code: 0, usage: false });
  });

  test.each([
    ["flags of kindling", ["--logs", "a.py"], "unrecognized option '--logs'"],
    ["cluster mode without a master, which is local[*]", ["--deploy-mode", "cluster", "a.py"], "local[*]"],
    ["--remote with a master", ["--remote", "sc://host", "--master", "local", "a.py"], "--remote"],
    ["no application", ["--master", "k8s://http://127.0.0.1:1"], "primary resource"],
  ])("1 refuses %s", async (_, args, words) => {
    const { code, stdout, stderr } = await sparkSubmit(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("a failed driver is a failure where that is wanted", async () => {
    const cluster = await startCluster({ runMilliseconds: 0, exitCode: 3 });
    const flags = cluster.flags({ "spark.kindling.submit.exitCode": "driver" });
    expect((await sparkSubmit([...flags, ...APP])).code).toBe(3);
  });
});

describe("signals", () => {
  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("%s ends it with %i, as a JVM, and leaves the application alone", async (signal, expected) => {
    const cluster = await startCluster({});
    const running = startSparkSubmit([...cluster.flags(), ...APP]);
    await running.saying("phase: Running");
    running.child.kill(signal);
    expect((await running.ended).code).toBe(expected);
    expect(await driversIn(cluster)).toHaveLength(1);
  });
});

describe("an application that is there", () => {
  test("--status tells of it, --kill ends it, and both succeed where there is none", async () => {
    const cluster = await startCluster({});
    const noWait = { "spark.kubernetes.submission.waitAppCompletion": "false" };
    await sparkSubmit([...cluster.flags(noWait), ...APP]);
    const [name = ""] = await driversIn(cluster);
    const master = cluster.flags().slice(0, 2);
    const ask = (flag: string): ReturnType<typeof sparkSubmit> =>
      sparkSubmit([...master, flag, `${NAMESPACE}:${name}`]);

    const status = await ask("--status");
    expect({ code: status.code, stdout: status.stdout }).toEqual({ code: 0, stdout: "" });
    expect(status.stderr).toContain(`Application status (driver): \n\t pod name: ${name}\n`);
    expect((await ask("--kill")).code).toBe(0);
    await expect.poll(() => driversIn(cluster)).toEqual([]);
    expect(await ask("--kill")).toMatchObject({ code: 0 });
    expect((await ask("--status")).stderr).toContain("Application not found.\n");
  });
});
