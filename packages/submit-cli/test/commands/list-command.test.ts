import { ManualClock } from "@kindling/outside";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { aSparkPod, sparkPod } from "../fixtures/driver-pod.ts";
import { kindling, kubeconfigFor, startKindling } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";

let cluster: TestCluster;
let env: { KUBECONFIG: string };

beforeEach(async () => {
  cluster = await TestCluster.start({ clock: new ManualClock(Date.UTC(2026, 0, 1)) });
  env = { KUBECONFIG: kubeconfigFor(cluster) };
});

async function populate(): Promise<void> {
  const executor = { role: "executor", app: "etl" } as const;
  const running = [
    sparkPod("etl-driver", { app: "etl", labels: { team: "data" } }),
    ...[1, 2, 3].map((id) => sparkPod(`etl-exec-${id}`, executor)),
    sparkPod("web-driver", { app: "web" }),
    sparkPod("far-driver", { app: "far", namespace: "elsewhere" }),
    sparkPod("nginx", { role: "none" }),
  ];
  await Promise.all(running.map((pod) => cluster.createPod(pod)));
  await cluster.createPod(sparkPod("etl-exec-4", { ...executor, scheduler: "nobody" }), "Pending");
  const web = sparkPod("web-driver");
  cluster.end(web, 1);
  await cluster.inPhase(web, "Failed");
}

describe("kindling list", () => {
  test("shows the applications of a namespace, with how many executors run", async () => {
    await populate();
    const { code, stdout, stderr } = await kindling(["list"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^DRIVER POD +APPLICATION +SPARK +STATE +EXECUTORS +AGE$/),
      expect.stringMatching(/^etl-driver +etl +4\.3\.0 +not scheduled \(executors\) +3\/4 +\d+d$/),
      expect.stringMatching(/^web-driver +web +4\.3\.0 +Error \(1\) +0 +\d+d$/),
      "",
    ]);
  });

  test("says whose sessions the drivers of Spark Connect have, if there are any", async () => {
    const labels = { "connect.kindling/profile": "small" };
    const taken = aSparkPod("connect-1", { labels: { ...labels, "connect.kindling/key": "k" } });
    await cluster.createPod(taken.annotations({ "connect.kindling/user": "al\u001bice" }).build());
    await cluster.createPod(sparkPod("connect-2", { labels }));
    await cluster.createPod(sparkPod("etl-driver"));
    const { stdout } = await kindling(["list"], { env });
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/ AGE +SPARK CONNECT$/),
      expect.stringMatching(/^connect-1 .* small, of al\\u\{1b\}ice$/),
      expect.stringMatching(/^connect-2 .* small, waits for a session$/),
      expect.stringMatching(/^etl-driver .* \d+d$/),
    ]);
    const { items } = JSON.parse((await kindling(["list", "-o", "json"], { env })).stdout) as {
      items: { connect?: object }[];
    };
    expect(items.map(({ connect }) => connect)).toEqual([
      { profile: "small", state: "in-use", user: String.raw`al\u{1b}ice` },
      { profile: "small", state: "waiting" },
      undefined,
    ]);
  });

  test("shows those of all namespaces", async () => {
    await populate();
    const { stdout } = await kindling(["list", "-A"], { env });
    expect(stdout).toMatch(/^NAMESPACE +DRIVER POD/);
    expect(stdout).toMatch(/^elsewhere +far-driver +far /m);
    expect(stdout.trimEnd().split("\n")).toHaveLength(4);
  });

  test("shows those with labels", async () => {
    await populate();
    expect((await kindling(["list", "-l", "team=data", "-o", "name"], { env })).stdout).toBe("spark-jobs:etl-driver\n");
  });

  test("gives names as the other commands take them", async () => {
    await populate();
    const { stdout } = await kindling(["list", "-A", "-o", "name"], { env });
    expect(stdout).toBe("elsewhere:far-driver\nspark-jobs:etl-driver\nspark-jobs:web-driver\n");
  });

  test("gives data", async () => {
    await populate();
    const json = await kindling(["list", "-n", "elsewhere", "-o", "json"], { env });
    const expected = [
      {
        namespace: "elsewhere",
        driverPod: "far-driver",
        name: "far",
        id: "spark-far",
        sparkVersion: "4.3.0",
        ...{ phase: "Running", state: "Running" },
        created: "2026-01-01T00:00:00Z",
        executors: { running: 0, total: 0 },
        findings: [],
      },
    ];
    expect(JSON.parse(json.stdout)).toEqual({
      ...{ apiVersion: "applications.kindling/v1", kind: "ApplicationList" },
      items: expected,
    });
    const yaml = await kindling(["list", "-n", "elsewhere", "-o", "yaml"], { env });
    expect(parse(yaml.stdout)).toMatchObject({ kind: "ApplicationList", items: expected });
  });

  test("says why a driver waits, and that one is being deleted", async () => {
    await cluster.createPod(aSparkPod("waiting-driver").requests({ cpu: "1000000" }).build(), "Pending");
    cluster.script = () => ({ stopMilliseconds: 1000 });
    const leaving = await cluster.createPod(sparkPod("leaving-driver"));
    await cluster.startToDelete(leaving);
    await expect
      .poll(async () => (await kindling(["list"], { env })).stdout)
      .toMatch(/^waiting-driver .* Insufficient cpu /m);
    expect((await kindling(["list"], { env })).stdout).toMatch(/^leaving-driver .* Terminating /m);
  });

  test("-w shows them again whenever they change, until it is interrupted", async () => {
    const web = await cluster.createPod(sparkPod("web-driver", { app: "web" }));
    const watching = startKindling(["list", "-w"], { env });
    await watching.saying("Running");
    cluster.end(web, 1);
    await watching.saying("Error (1)");
    watching.child.kill("SIGINT");
    const { code, stdout, stderr } = await watching.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    expect(stdout.split("\n").filter((line) => line.startsWith("web-driver"))).toEqual([
      expect.stringMatching(/ Running /),
      expect.stringMatching(/ Error \(1\) /),
    ]);
  });

  test("of nothing says so to people, and nothing to programs", async () => {
    expect(await kindling(["list"], { env })).toEqual({
      code: 0,
      stdout: "",
      stderr: "no applications found in namespace spark-jobs\nhint: kindling list -A shows those of all namespaces\n",
    });
    expect(await kindling(["list", "-n", "spark-jbs"], { env })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        'error: there is no namespace "spark-jbs"\nhint: correct -n; kubectl get namespaces shows those that are there\n',
    });
    const json = await kindling(["list", "-o", "json"], { env });
    expect([json.code, json.stderr]).toEqual([0, ""]);
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: "ApplicationList", items: [] });
    expect(await kindling(["list", "-o", "name"], { env })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
