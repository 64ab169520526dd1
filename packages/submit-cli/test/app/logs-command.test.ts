import { beforeEach, expect, test } from "vitest";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { application, OperatedCluster } from "../fixtures/operated-cluster.ts";

let operated: OperatedCluster;

beforeEach(async () => {
  operated = await OperatedCluster.start();
});

test("is the log of the driver that the operator names, or of an executor", async () => {
  await operated.apply(application("pi"));
  await operated.tell("pi", { applicationState: { state: "RUNNING" }, driverInfo: { podName: "own-name" } });
  const driver = await operated.cluster.createPod(sparkPod("own-name", { app: "pi" }));
  const labels = { "spark-exec-id": "1" };
  const executor = await operated.cluster.createPod(sparkPod("pi-exec-1", { role: "executor", app: "pi", labels }));
  operated.cluster.writeLog(driver, ["driver 1", "driver 2"]);
  operated.cluster.writeLog(executor, ["executor 1"]);
  expect(await operated.run(["logs", "pi"])).toEqual({ code: 0, stdout: "driver 1\ndriver 2\n", stderr: "" });
  expect((await operated.run(["logs", "--tail", "1", "spark-jobs:pi"])).stdout).toBe("driver 2\n");
  expect((await operated.run(["logs", "--executor", "1", "pi"])).stdout).toBe("executor 1\n");
  expect((await operated.run(["logs", "--tail", "x", "pi"])).stderr).toMatch(
    /^error: --tail x: must be a whole number/,
  );
});

test("-f waits for the driver, goes on with the next one, and ends with the last", async () => {
  await operated.apply(application("pi", { restartPolicy: { type: "OnFailure", onFailureRetries: 1 } }));
  const following = operated.startApp(["logs", "-f", "pi"]);
  await following.saying("note: spark-jobs:pi is NEW; waiting for its driver");
  const first = await operated.cluster.createPod(sparkPod("pi-driver"));
  operated.cluster.writeLog(first, ["first run"]);
  await operated.tellState("pi", "RUNNING");
  await following.saying("first run");
  operated.cluster.end(first, 1);
  await operated.cluster.inPhase(first, "Failed");
  await operated.tellState("pi", "PENDING_RERUN");
  await following.saying("is PENDING_RERUN; waiting for its driver");
  await operated.cluster.delete(first, { gracePeriodSeconds: 0 });
  const second = await operated.cluster.createPod(sparkPod("pi-driver"));
  operated.cluster.writeLog(second, ["second run"]);
  await operated.tellState("pi", "RUNNING");
  await following.saying("second run");
  operated.cluster.end(second, 0);
  await operated.tellState("pi", "COMPLETED");
  const { code, stdout } = await following.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: "first run\nsecond run\n" });
});

test("says why there is none", async () => {
  await operated.apply(application("pi"));
  const logs = async (): Promise<string> => (await operated.run(["logs", "pi"])).stderr;
  expect(await logs()).toBe(
    "error: spark-jobs:pi has no driver; it is NEW\nhint: kindling app logs -f spark-jobs:pi waits for it\n",
  );
  await operated.tellState("pi", "COMPLETED");
  expect(await logs()).toBe(
    "error: the driver pod pi-driver of spark-jobs:pi is gone, and its log with it\n" +
      "hint: kindling app rerun spark-jobs:pi starts it again\n",
  );
  await operated.apply(application("bad"));
  const errorMessage = "failed to submit spark application: no such account";
  await operated.tell("bad", { applicationState: { state: "FAILED", errorMessage }, driverInfo: {} });
  expect((await operated.run(["logs", "-f", "bad"])).stderr).toBe(
    `error: spark-jobs:bad never had a driver, so there is no log: ${errorMessage}\n` +
      "hint: kubectl apply of a corrected object submits it again; where the fault was elsewhere, kindling app rerun spark-jobs:bad does\n",
  );
});
