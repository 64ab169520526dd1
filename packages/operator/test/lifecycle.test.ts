import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { OperatedCluster } from "./support/operated-cluster.ts";

test("an application is submitted, runs and completes; each change is told once", async () => {
  const operated = await OperatedCluster.start();
  operated.cluster.hold();
  await operated.operate();
  await operated.create("pi");
  const submitted = await operated.inState("pi", "SUBMITTED");
  expect(submitted.status).toMatchObject({
    submissionAttempts: 1,
    executionAttempts: 1,
    driverInfo: { podName: "pi-driver" },
    lastSubmissionAttemptTime: expect.any(String),
  });
  const [driver] = await operated.pods();
  expect(driver?.metadata).toMatchObject({
    name: "pi-driver",
    labels: {
      "sparkoperator.k8s.io/app-name": "pi",
      "sparkoperator.k8s.io/launched-by-spark-operator": "true",
      "sparkoperator.k8s.io/submission-id": submitted.status?.submissionID,
    },
    ownerReferences: [{ kind: "SparkApplication", name: "pi", uid: submitted.metadata.uid, controller: true }],
  });
  operated.cluster.release();
  const running = await operated.inState("pi", "RUNNING");
  expect(running.status?.driverInfo).toMatchObject({
    webUIServiceName: "pi-ui-svc",
    webUIPort: 4040,
    webUIAddress: expect.stringMatching(/^[0-9.]+:4040$/),
  });
  if (driver === undefined) throw new Error("there is no driver");
  operated.cluster.end(driver, 0);
  const completed = await operated.inState("pi", "COMPLETED");
  expect(completed.status).toMatchObject({ terminationTime: expect.any(String), executionAttempts: 1 });
  await eventually(async () =>
    expect(await operated.reasons("pi")).toEqual([
      "SparkApplicationSubmitted",
      "SparkDriverRunning",
      "SparkDriverCompleted",
      "SparkApplicationCompleted",
    ]),
  );
});

test("an application that is made anew waits until the driver of the one before is gone", async () => {
  const operated = await OperatedCluster.start();
  const owner = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication", name: "pi", uid: "gone" };
  const pods = "/api/v1/namespaces/spark-jobs/pods";
  await operated.cluster.send("POST", pods, {
    metadata: { name: "pi-driver", finalizers: ["example.com/held"], ownerReferences: [owner] },
    spec: { containers: [{ name: "spark-kubernetes-driver", image: "spark" }] },
  });
  await operated.operate();
  await operated.create("pi");
  const asked = () => operated.cluster.api.requests.filter(({ method, path }) => method === "POST" && path === pods);
  await eventually(() => expect(asked().length).toBeGreaterThan(1));
  expect((await operated.application("pi")).status?.applicationState.state ?? "").toBe("");
  await operated.cluster.send("PATCH", `${pods}/pi-driver`, { metadata: { finalizers: null } });
  await operated.cluster.send("DELETE", `${pods}/pi-driver`).catch(() => undefined);
  await operated.inState("pi", "RUNNING");
});

test("what fails is tried again as often as is wanted, each time with a new driver", async () => {
  const operated = await OperatedCluster.start();
  operated.cluster.script = () => ({ runMilliseconds: 500, exitCode: 3 });
  await operated.operate();
  await operated.create("pi", {
    restartPolicy: { type: "OnFailure", onFailureRetries: 1, onFailureRetryInterval: 1 },
  });
  const failed = await operated.inState("pi", "FAILED");
  expect(failed.status).toMatchObject({
    executionAttempts: 2,
    submissionAttempts: 2,
    applicationState: { errorMessage: "driver container failed with ExitCode: 3, Reason: Error" },
  });
});

test("a submission that is refused says why, and its retries are counted", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await operated.create("pi", {
    driver: { serviceAccount: "nobody" },
    restartPolicy: { type: "OnFailure", onSubmissionFailureRetries: 1, onSubmissionFailureRetryInterval: 1 },
  });
  const failed = await operated.inState("pi", "FAILED");
  expect(failed.status).toMatchObject({ submissionAttempts: 2, terminationTime: expect.any(String) });
  expect(failed.status?.executionAttempts).toBeUndefined();
  expect(failed.status?.applicationState.errorMessage).toMatch(
    /^failed to submit spark application: failed to run spark-submit: .*service account spark-jobs\/nobody/,
  );
  expect(await operated.pods()).toEqual([]);
});

test("a suspended application gives its place up, and runs anew when it is resumed", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await operated.create("pi");
  const first = await operated.inState("pi", "RUNNING");
  await operated.edit("pi", { suspend: true });
  const suspended = await operated.inState("pi", "SUSPENDED");
  expect(suspended.status).toMatchObject({ submissionAttempts: 1, driverInfo: {} });
  await eventually(async () => expect(await operated.pods()).toEqual([]));
  await operated.edit("pi", { suspend: false });
  const second = await operated.inState("pi", "RUNNING");
  expect(second.status?.submissionID).not.toBe(first.status?.submissionID);
  expect(second.status).toMatchObject({ submissionAttempts: 2, executionAttempts: 2 });
});

test("an edited spec runs anew, also after the end and while no operator was there", async () => {
  const operated = await OperatedCluster.start();
  operated.cluster.script = () => ({ runMilliseconds: 500, exitCode: 0 });
  const before = await operated.operate();
  await operated.create("pi");
  const first = await operated.inState("pi", "COMPLETED");
  await before.stop();
  await operated.edit("pi", { arguments: ["7"] });
  await operated.operate();
  await eventually(async () =>
    expect((await operated.application("pi")).status?.submissionID).not.toBe(first.status?.submissionID),
  );
  const second = await operated.inState("pi", "COMPLETED");
  expect(second.status).toMatchObject({ submissionAttempts: 1, executionAttempts: 1 });
  await operated.edit("pi", { timeToLiveSeconds: 100_000 });
  await operated.create("other");
  await operated.inState("other", "COMPLETED");
  expect((await operated.application("pi")).status?.submissionID).toBe(second.status?.submissionID);
});

test("an application goes when its time to live is over", async () => {
  const operated = await OperatedCluster.start();
  operated.cluster.script = () => ({ runMilliseconds: 500, exitCode: 0 });
  await operated.operate();
  await operated.create("pi", { timeToLiveSeconds: 1 });
  await eventually(async () => await expect(operated.application("pi")).rejects.toThrow("404"));
  await eventually(async () => expect(await operated.cluster.contents()).toEqual([]));
});

test("what no executor can be made of is told before a driver is", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await operated.create("pi", { executor: { tolerations: [{ key: "spot", operator: "Perhaps" }] } });
  const failed = await operated.inState("pi", "FAILED");
  expect(failed.status?.applicationState.errorMessage).toMatch(
    /^failed to submit spark application: failed to run spark-submit: no executor can be made: .*Perhaps/,
  );
  expect(await operated.pods()).toEqual([]);
});
