import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { BIN, kindling, kubeconfigFor, start } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start();
});

const submit = (...args: string[]): ReturnType<typeof kindling> => kindling(["submit", ...flagsFor(cluster), ...args]);
const podName = async (): Promise<string> => (await cluster.driver()).metadata?.name ?? "";
const appId = async (): Promise<string> => (await cluster.driver()).metadata?.labels?.["spark-app-selector"] ?? "";

describe("kindling submit", () => {
  test("tells a log in a line for each state, and has nothing for stdout", async () => {
    cluster.runWhenWatched(0);
    const { code, stdout, stderr } = await submit("--name", "etl", ...APP);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    const what = `etl with application ID ${await appId()} and submission ID spark-jobs:${await podName()}`;
    const lines = stderr.trimEnd().split("\n");
    expect(lines[0]).toBe(`Deployed Spark application ${what} into Kubernetes`);
    expect(lines.at(-2)).toBe(`Succeeded ${await podName()} on node-1`);
    expect(lines.at(-1)).toBe(`Application ${what} succeeded`);
    for (const line of lines.slice(1, -1)) expect(line).toMatch(/^(?:Pending|Running|Succeeded) \S+-driver/);
  });

  test("has no colours in a log", async () => {
    cluster.runWhenWatched(1);
    const { stderr } = await submit(...APP);
    expect(stderr).not.toContain("\u001B");
  });

  test("tells a person in a line for each change", async () => {
    cluster.runWhenWatched(3);
    const command = [process.execPath, BIN, "submit", ...flagsFor(cluster), "--name", "etl", ...APP].join(" ");
    // The only way for a test to get a terminal.
    const { stdout } = await start("script", ["-qec", command, "/dev/null"], { env: { TERM: "xterm" } }).ended;
    const lines = stdout.replaceAll("\r", "").trimEnd().split("\n");
    const name = await podName();
    expect(lines[0]).toMatch(/^Deployed Spark application etl /);
    const end = lines.findIndex((line) => line.includes("Application etl "));
    const changes = lines.slice(1, end).map((line) => line.replace(name, "POD"));
    // With or without its node, because the scheduler is fast.
    expect(changes[0]).toMatch(/^\u001B\[2mPending\u001B\[0m POD/);
    expect(changes.filter((line) => !line.includes("Pending"))).toEqual([
      "\u001B[32mRunning\u001B[0m POD on node-1",
      "\u001B[31mFailed\u001B[0m POD on node-1 (exit code 3)",
    ]);
    expect(lines[end]).toMatch(/^\u001B\[31mApplication etl .* failed with exit code 3\u001B\[0m$/);
    expect(lines.slice(end + 1)).toEqual([
      "\u001B[31mfailed:\u001B[0m container spark-kubernetes-driver ended with exit code 3",
      `\u001B[2mnext:\u001B[0m the driver's log: kindling logs spark-jobs:${name}`,
    ]);
  });

  test.each([
    ["has the driver's exit code", 3, [], 3],
    [
      "has spark-submit's, which is always 0, where that is wanted",
      3,
      conf({ "spark.kindling.submit.exitCode": "spark" }),
      0,
    ],
    ["does not wait where that is wanted", 3, conf({ "spark.kubernetes.submission.waitAppCompletion": "false" }), 0],
  ])("%s", async (_, exitCode, flags, expected) => {
    cluster.runWhenWatched(exitCode);
    expect((await submit(...flags, ...APP)).code).toBe(expected);
  });

  test.each([
    ["while it is pending", conf({ "spark.kubernetes.driver.scheduler.name": "nobody" }), "Pending"],
    ["while it runs, whatever its container says of being ended", [], "Running"],
  ])("fails where the application is deleted %s", async (_, flags, phase) => {
    const submitting = submit(...flags, ...APP);
    await expect.poll(() => cluster.api.openWatches).toBe(1);
    await cluster.delete(await cluster.inPhase(await cluster.driver(), phase));
    const { code, stderr } = await submitting;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^note: the driver pod was deleted before the application came to its end$/m);
    expect(stderr).not.toMatch(/^failed: /m);
  });

  test("prints the driver's log, and that alone, on stdout", async () => {
    cluster.runWhenWatched(0, ["Pi is roughly 3.14", "größer"]);
    const { code, stdout } = await submit("--logs", ...APP);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Pi is roughly 3.14\ngrößer\n" });
  });

  test.each([
    ["json", JSON.parse],
    ["yaml", parse],
  ] as [string, (text: string) => unknown][])("prints the result as %s", async (format, read) => {
    cluster.runWhenWatched(3);
    const { code, stdout } = await submit("--name", "etl", "-o", format, ...APP);
    expect(code).toBe(3);
    expect(read(stdout)).toMatchObject({
      result: "failed",
      name: "etl",
      id: await appId(),
      submissionId: `spark-jobs:${await podName()}`,
      namespace: "spark-jobs",
      driverPod: await podName(),
      driverContainer: "spark-kubernetes-driver",
      driverPodUid: (await cluster.driver()).metadata?.uid,
      existed: false,
      outcome: {
        ...{ phase: "Failed", exitCode: 3, reason: "Error" },
        diagnosis: { state: "Error (3)", findings: [{ cause: "ContainerFailed", role: "driver" }] },
      },
    });
  });

  test.each<[string, readonly string[], string, string]>([
    ["by its configuration", ["--driver-memory", "0"], "gather", "CONF_INVALID"],
    ["by what it would make", ["--name", "x".repeat(300)], "plan", "CONF_INVALID"],
    ["by the API server", [], "apply", "CLUSTER_FORBIDDEN"],
  ])(
    "tells programs a submission that was refused %s from a driver that failed with 1",
    async (_, flags, phase, code) => {
      cluster.runWhenWatched(1);
      const failed = await submit("-o", "json", ...APP);
      expect(failed.code).toBe(1);
      expect(JSON.parse(failed.stdout)).toMatchObject({ result: "failed", outcome: { exitCode: 1 } });

      cluster.api.fault = () => ({ kind: "status", status: 403, reason: "Forbidden", message: "not you" });
      const refused = await submit("-o", "json", ...flags, ...APP);
      expect(refused.code).toBe(1);
      const told = JSON.parse(refused.stdout) as { error: { message: string } };
      expect(told).toMatchObject({ result: "refused", phase, error: { code } });
      expect(refused.stderr).toContain(`error: ${told.error.message}\n`);
    },
  );

  test("tells programs an application that cannot be followed from one that was refused", async () => {
    cluster.api.fault = ({ method, path }) =>
      method === "GET" && path.includes("/pods") ? { kind: "status", status: 403, reason: "Forbidden" } : undefined;
    const { code, stdout } = await submit("-o", "json", ...APP);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      result: "unfollowed",
      phase: "follow",
      submissionId: `spark-jobs:${await podName()}`,
      error: { code: "CLUSTER_FORBIDDEN" },
    });
  });

  test("says which of its own flags stand where they are the application's", async () => {
    cluster.runWhenWatched(0);
    const { code, stderr } = await submit(...APP, "--num-executors", "3", "--files", "a.csv", "--name", "x");
    expect(code).toBe(0);
    expect(stderr.split("\n").filter((line) => line.includes("stands behind"))).toEqual([
      "note: --num-executors stands behind the application, which gets it; flags of submit stand before the application",
      "note: --files stands behind the application, which gets it; flags of submit stand before the application",
    ]);
  });

  test("says which of --py-files are nothing that Python imports", async () => {
    cluster.runWhenWatched(0);
    const pyFiles = ["local:///app/requirements.txt", "local:///app/deps.zip", "local:///app/env.tar.gz"].join(",");
    const { code, stderr } = await submit("--py-files", pyFiles, "local:///app/app.py");
    expect(code).toBe(0);
    expect(stderr.match(/^note: --py-files \S+: Python imports .*pip install --target/gm)).toHaveLength(2);
  });

  test("names the command for the log of a driver that failed, unless it was shown", async () => {
    cluster.runWhenWatched(1);
    expect((await submit(...APP)).stderr).toContain("\nnext: the driver's log: kindling logs ");
    const { code, stderr } = await submit("--logs", ...APP);
    expect(code).toBe(1);
    expect(stderr).toContain("\nfailed: ");
    expect(stderr).not.toContain("next:");
  });

  test("says that an application existed", async () => {
    cluster.runWhenWatched(0);
    await submit("--submission-id", "one", ...APP);
    const { code, stderr } = await submit("--submission-id", "one", "--name", "other", ...APP);
    expect(code).toBe(0);
    expect(stderr).not.toContain("Spark application other ");
    expect(stderr).toContain(
      `submission ID spark-jobs:${await podName()} existed already; nothing was submitted again`,
    );
    expect(stderr).toMatch(/^note: it ended before this submission: Succeeded; for another run, kindling kill /m);
    expect(await cluster.objects("Pod")).toHaveLength(1);
  });

  test("needs no --master and no --deploy-mode where there is a kubeconfig", async () => {
    cluster = await TestCluster.start({ token: "abc" });
    cluster.runWhenWatched(0);
    const env = { KUBECONFIG: kubeconfigFor(cluster, { token: "abc" }) };
    const { code } = await kindling(
      ["submit", ...conf({ "spark.kubernetes.container.image": "apache/spark:4.3.0" }), ...APP],
      { env },
    );
    expect(code).toBe(0);
    expect(cluster.api.requests[0]?.headers["authorization"]).toBe("Bearer abc");
    expect(cluster.api.requests[0]?.headers["user-agent"]).toMatch(/^kindling\/\d/);
    const properties = ((await cluster.objects("ConfigMap"))[0] as { data?: Record<string, string> } | undefined)
      ?.data?.["spark.properties"];
    expect(properties).toContain(`spark.master=k8s\\://${cluster.url.replaceAll(":", "\\:")}`);
  });

  test("shows with --verbose what it understood", async () => {
    cluster.runWhenWatched(0);
    const { stderr } = await submit("--verbose", "--executor-memory", "2g", ...APP);
    expect(stderr).toMatch(
      /^Submission:\n {2}application: local:\/\/\/opt\/app\.jar\n {2}main class: org\.example\.Main\nSpark configuration:\n/,
    );
    expect(stderr).toContain("\n  spark.executor.memory=2g\n");
  });
});

describe("kindling submit without anything to submit", () => {
  test.each([
    [["--help"], 0, "stdout"],
    [["-h"], 0, "stdout"],
    [["--usage-error"], 1, "stderr"],
    [[], 255, "stderr"],
  ] as const)("%j shows the help, with exit code %i, on %s", async (args, code, stream) => {
    const finished = await kindling(["submit", ...args]);
    expect(finished.code).toBe(code);
    expect(finished[stream]).toMatch(/^Submits an application[^]*Usage: kindling submit[^]*Exit codes:/);
    expect(finished[stream === "stdout" ? "stderr" : "stdout"]).toBe("");
  });

  test("--version shows the version, whatever follows that spark-submit would take", async () => {
    const { code, stdout } = await kindling(["submit", "--version", "--kill", "x", "--status", "y", "a.jar"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^kindling \d+\.\d+\.\d+ \(Spark 3\.5 to \d+\.\d+\)\n$/);
  });

  test("--version before a flag that there is not is refused, as by spark-submit", async () => {
    const { code, stderr } = await kindling(["submit", "--version", "--no-such-flag"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: unrecognized option '--no-such-flag'$/m);
  });
});
