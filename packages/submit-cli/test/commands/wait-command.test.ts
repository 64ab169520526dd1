import { beforeEach, describe, expect, test } from "vitest";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { kindling, startKindling } from "../fixtures/kindling-process.ts";

let cluster: TestCluster;
let master: string[];

beforeEach(async () => {
  cluster = await TestCluster.start();
  master = ["--master", `k8s://${cluster.url}`];
});

const CONTAINERS = { app: "etl", containers: ["sidecar", "spark-kubernetes-driver"] };
const wait = (...args: string[]): ReturnType<typeof kindling> => kindling(["wait", ...master, ...args]);

describe("kindling wait", () => {
  test.each([
    [0, "Completed", "succeeded"],
    [3, "Error", "failed with exit code 3"],
  ])("has the exit code %d of the driver, whatever runs beside it", async (exitCode, reason, words) => {
    const driver = await cluster.createPod(sparkPod("etl-driver", CONTAINERS));
    const waiting = startKindling(["wait", ...master, "spark-jobs:etl-driver"]);
    await waiting.saying("Running etl-driver");
    cluster.end(driver, exitCode, reason, "spark-kubernetes-driver");
    const { code, stdout, stderr } = await waiting.ended;
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
    expect(stderr).toContain(`submission ID spark-jobs:etl-driver ${words}\n`);
    expect(stderr).toContain("container sidecar keeps the pod etl-driver");
  });

  test("ends at the driver's start where that is waited for", async () => {
    await cluster.createPod(sparkPod("etl-driver", CONTAINERS));
    expect(await wait("--for", "running", "spark-jobs:etl-driver")).toMatchObject({ code: 0, stdout: "" });
  });

  test("ends with 124 when its time is over, and leaves the application alone", async () => {
    await cluster.createPod(sparkPod("etl-driver", CONTAINERS));
    const { code, stderr } = await wait("--timeout", "200ms", "spark-jobs:etl-driver");
    expect(code).toBe(124);
    expect(stderr).toContain("Timed out: the application has not ended within 200ms; it goes on.\n");
    expect(stderr).toContain("kindling kill spark-jobs:etl-driver\n");
  });

  test.each([
    [["--for", "ready", "etl"], "--for ready: must be one of ended, running"],
    [["--timeout", "soon", "etl"], "--timeout soon: must be a duration such as 90s, 10m or 1h30m"],
    [["--timeout", "0", "etl"], "--timeout 0: must be a duration such as 90s, 10m or 1h30m"],
    [[], "wait is about one application"],
  ])("refuses %j without asking anybody", async (args, message) => {
    const { code, stderr } = await wait(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(cluster.api.requests).toEqual([]);
  });

  test("says what is not there", async () => {
    const { code, stderr } = await wait("spark-jobs:absent");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: no application in namespace spark-jobs is called "absent"/);
  });
});
