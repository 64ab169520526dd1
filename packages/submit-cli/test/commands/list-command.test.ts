import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { kindling, kubeconfigFor } from "../fixtures/kindling-process.ts";
import { StubCluster } from "@kindling/test-kit/stub-cluster";
import { ended } from "../fixtures/submission.ts";

let cluster: StubCluster;
let env: { KUBECONFIG: string };

beforeEach(async () => {
  cluster = await StubCluster.start();
  env = { KUBECONFIG: kubeconfigFor(cluster) };
});

function populate(): void {
  cluster.put(sparkPod("etl-driver", { app: "etl", labels: { team: "data" } }));
  for (const id of [1, 2, 3]) cluster.put(sparkPod(`etl-exec-${id}`, { role: "executor", app: "etl" }));
  cluster.put(sparkPod("etl-exec-4", { role: "executor", app: "etl", status: { phase: "Pending" } }));
  cluster.put(sparkPod("web-driver", { app: "web", status: ended(1) }));
  cluster.put(sparkPod("far-driver", { app: "far", namespace: "elsewhere" }));
  cluster.put(sparkPod("nginx", { role: "none" }));
}

describe("kindling list", () => {
  test("shows the applications of a namespace, with how many executors run", async () => {
    populate();
    const { code, stdout, stderr } = await kindling(["list"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^DRIVER POD +APPLICATION +SPARK +STATE +EXECUTORS +AGE$/),
      expect.stringMatching(/^etl-driver +etl +4\.3\.0 +Running +3 +\d+d$/),
      expect.stringMatching(/^web-driver +web +4\.3\.0 +Failed +0 +\d+d$/),
      "",
    ]);
  });

  test("shows those of all namespaces", async () => {
    populate();
    const { stdout } = await kindling(["list", "-A"], { env });
    expect(stdout).toMatch(/^NAMESPACE +DRIVER POD/);
    expect(stdout).toMatch(/^elsewhere +far-driver +far /m);
    expect(stdout.trimEnd().split("\n")).toHaveLength(4);
  });

  test("shows those with labels", async () => {
    populate();
    expect((await kindling(["list", "-l", "team=data", "-o", "name"], { env })).stdout).toBe("spark-jobs:etl-driver\n");
  });

  test("gives names as the other commands take them", async () => {
    populate();
    const { stdout } = await kindling(["list", "-A", "-o", "name"], { env });
    expect(stdout).toBe("spark-jobs:etl-driver\nspark-jobs:web-driver\nelsewhere:far-driver\n");
  });

  test("gives data", async () => {
    populate();
    const json = await kindling(["list", "-n", "elsewhere", "-o", "json"], { env });
    const expected = [
      {
        namespace: "elsewhere",
        driverPod: "far-driver",
        name: "far",
        id: "spark-far",
        sparkVersion: "4.3.0",
        phase: "Running",
        created: "2026-01-01T00:00:00Z",
        executors: 0,
      },
    ];
    expect(JSON.parse(json.stdout)).toEqual(expected);
    const yaml = await kindling(["list", "-n", "elsewhere", "-o", "yaml"], { env });
    expect(parse(yaml.stdout)).toEqual(expected);
  });

  test("says why a driver waits, and that one is being deleted", async () => {
    const waiting = {
      phase: "Pending",
      conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "no nodes" }],
    };
    cluster.put(sparkPod("waiting-driver", { status: waiting }));
    const leaving = sparkPod("leaving-driver");
    cluster.put({ ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
    const { stdout } = await kindling(["list"], { env });
    expect(stdout).toMatch(/^waiting-driver .* Pending \(Unschedulable\) /m);
    expect(stdout).toMatch(/^leaving-driver .* Terminating /m);
  });

  test("of nothing says so to people, and nothing to programs", async () => {
    expect(await kindling(["list"], { env })).toEqual({ code: 0, stdout: "", stderr: "no applications found\n" });
    expect(await kindling(["list", "-o", "json"], { env })).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
    expect(await kindling(["list", "-o", "name"], { env })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
