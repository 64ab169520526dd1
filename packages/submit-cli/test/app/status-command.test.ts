import { beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { application, OperatedCluster, schedule } from "../fixtures/operated-cluster.ts";

let operated: OperatedCluster;

beforeEach(async () => {
  operated = await OperatedCluster.start();
});

const RUNNING = {
  applicationState: { state: "RUNNING" },
  sparkApplicationId: "spark-4f1c",
  submissionID: "5d1f3c0e-0000-8000-8000-000000000001",
  executionAttempts: 2,
  submissionAttempts: 1,
  lastSubmissionAttemptTime: "2026-01-01T00:00:00Z",
  driverInfo: { podName: "pi-driver", webUIServiceName: "pi-ui-svc", webUIAddress: "10.0.0.1:4041" },
  executorState: { "pi-exec-1": "RUNNING", "pi-exec-2": "RUNNING", "pi-exec-3": "FAILED" },
};

test("is the page of an application, with what the operator has recorded", async () => {
  const object = await operated.apply(
    application(
      "pi",
      { restartPolicy: { type: "OnFailure" } },
      { labels: { "sparkoperator.k8s.io/scheduled-app-name": "nightly" } },
    ),
  );
  await operated.tell("pi", RUNNING);
  await operated.record(object, "SparkDriverRunning", "Driver pi-driver is running");
  const { code, stdout, stderr } = await operated.run(["status", "pi"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.replaceAll(/\b\d+[sdm]\b/g, "AGE").split("\n")).toEqual([
    "Application  spark-jobs:pi",
    "State        RUNNING",
    "Spark        4.0.4, image apache/spark:4.0.4",
    "Driver       spark-jobs:pi-driver",
    "Spark's id   spark-4f1c",
    "Submission   5d1f3c0e-0000-8000-8000-000000000001",
    "Attempts     2 runs, 1 submission",
    "Restart      OnFailure",
    "Executors    1 failed, 2 running",
    "Submitted    2026-01-01T00:00:00Z, AGE ago",
    "Web UI       http://localhost:4041 after: kubectl -n spark-jobs port-forward service/pi-ui-svc 4041",
    "Schedule     nightly",
    "",
    expect.stringMatching(/^LAST SEEN +TYPE +REASON +MESSAGE$/),
    expect.stringMatching(/^AGE +Normal +SparkDriverRunning +Driver pi-driver is running$/),
    "",
  ]);
});

test("says why one failed, by the operator's message and by what the driver shows", async () => {
  await operated.apply(application("pi"));
  const driver = await operated.cluster.createPod(sparkPod("pi-driver"));
  operated.cluster.devCluster.podFaults.outOfMemory({ namespace: "spark-jobs", name: "pi-driver" });
  await operated.cluster.inPhase(driver, "Failed");
  await operated.tellState("pi", "FAILED", "driver container failed with ExitCode: 137, Reason: OOMKilled");
  const { stdout } = await operated.run(["status", "pi"]);
  expect(stdout).toMatch(/^State +FAILED\nError +driver container failed with ExitCode: 137, Reason: OOMKilled$/m);
  expect(stdout).toMatch(
    /^hint: kindling app logs spark-jobs:pi shows the driver's log; kindling app rerun spark-jobs:pi runs it again$/m,
  );
  expect(stdout).toMatch(/^failed: container spark-kubernetes-driver used more memory than its limit/m);
  // The operator sets Spark's keys from the object's fields.
  expect(stdout).toMatch(/^hint: raise spec\.driver\.memoryOverhead .*, or spec\.driver\.memory /m);
  expect(stdout).not.toMatch(/^next:/m);
  expect(JSON.parse((await operated.run(["status", "pi", "-o", "json"])).stdout)).toMatchObject([
    { name: "pi", state: "FAILED", findings: [{ cause: "OOMKilled" }], events: [] },
  ]);
});

test("of one that was refused leads to no log, and to nobody else's pod", async () => {
  await operated.apply(application("pi"));
  const foreign = await operated.cluster.createPod(sparkPod("pi-driver"));
  operated.cluster.devCluster.podFaults.outOfMemory({ namespace: "spark-jobs", name: "pi-driver" });
  await operated.cluster.inPhase(foreign, "Failed");
  const why = 'failed to submit spark application: sparkConf key "spark.master" is not allowed: this value is managed';
  await operated.tellState("pi", "FAILED", why);
  const { stdout } = await operated.run(["status", "pi"]);
  expect(stdout).toContain(`Error        ${why}`);
  expect(stdout).not.toMatch(/^Driver|app logs|kindling logs|used more memory/m);
  expect(stdout).toMatch(
    /^hint: there was no driver, so there is no log; kubectl apply of a corrected object submits it again/m,
  );
  await operated.tellState("pi", "SUBMISSION_FAILED", why);
  expect((await operated.run(["status", "pi"])).stdout).toMatch(/^hint: .* the operator tries again$/m);
});

test("what a user may not read is left out, and that is told", async () => {
  await operated.apply(application("pi"));
  await operated.tell("pi", RUNNING);
  operated.cluster.api.fault = ({ path }) =>
    /\/(?:pods|events)\b/.test(path)
      ? { ...{ kind: "status", status: 403, reason: "Forbidden" }, message: "no" }
      : undefined;
  const { code, stdout, stderr } = await operated.run(["status", "pi"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^State +RUNNING$/m);
  expect(stdout).toMatch(/\n\nnote: you may not read pods and events in spark-jobs, so what they tell is left out\n$/);
});

test("tells how earlier attempts ended", async () => {
  await operated.apply(application("pi", { restartPolicy: { type: "OnFailure" } }));
  const attempts = [
    { outcome: "SUBMISSION_FAILED", endTime: "2026-01-01T00:00:00Z", errorMessage: "failed to submit: no" },
    {
      outcome: "FAILED",
      endTime: "2026-01-01T00:00:00Z",
      exitCode: 3,
      errorMessage: "driver container failed",
      diagnosis: "java.io.IOException: disk",
    },
    { outcome: "FAILED", errorMessage: "driver pod not found" },
    ...[1, 2].map(() => ({ outcome: "FAILED", exitCode: 2, diagnosis: "day.py is not in the image (exit code 2)" })),
    { outcome: "COMPLETED", endTime: "2026-01-01T00:00:00Z", exitCode: 0 },
  ];
  await operated.tell("pi", { ...RUNNING, attempts });
  const rows = async (): Promise<string[]> =>
    (await operated.run(["status", "pi"])).stdout
      .replaceAll(/\b\d+[sdmhy]+\b/g, "AGE")
      .split("\n")
      .slice(7);
  expect((await rows()).slice(0, 5)).toEqual([
    "Earlier      AGE ago: not submitted, failed to submit: no",
    "             AGE ago: exit code 3, java.io.IOException: disk",
    "             exit code unknown, driver pod not found",
    "             2 times: day.py is not in the image (exit code 2)",
    "             AGE ago: completed",
  ]);
  // The page itself describes the last one.
  await operated.tell("pi", { ...RUNNING, applicationState: { state: "COMPLETED" }, attempts });
  expect((await rows()).slice(3, 5)).toEqual([
    "             2 times: day.py is not in the image (exit code 2)",
    "Restart      OnFailure",
  ]);
  const json = JSON.parse((await operated.run(["status", "pi", "-o", "json"])).stdout) as object[];
  expect(json).toMatchObject([{ attempts: attempts.map(({ outcome }) => ({ outcome })) }]);
});

test("is the page of a schedule, with its next run", async () => {
  await operated.apply(schedule("nightly", { timeZone: "Europe/Berlin" }));
  const status = {
    ...{ scheduleState: "Scheduled", lastRun: "2026-01-01T02:00:00Z", lastRunName: "nightly-1" },
    ...{ nextRun: "2126-01-01T02:00:00Z", pastSuccessfulRunNames: ["nightly-1"], pastFailedRunNames: ["nightly-0"] },
  };
  await operated.tell("nightly", status, "scheduledsparkapplications");
  const { stdout } = await operated.run(["status", "--scheduled", "nightly"]);
  expect(stdout.replaceAll(/\b\d+[sdm]\b/g, "AGE").split("\n")).toEqual([
    "Schedule     spark-jobs:nightly",
    "State        Scheduled",
    "Runs at      0 3 * * * in Europe/Berlin",
    "Meanwhile    Forbid",
    "Last run     2026-01-01T02:00:00Z, AGE ago: nightly-1",
    "Next run     2126-01-01T02:00:00Z, in AGE",
    "Succeeded    nightly-1",
    "Failed       nightly-0",
    "",
  ]);
  const bad = { scheduleState: "FailedValidation", reason: "Invalid timezone: Mars" };
  await operated.tell("nightly", bad, "scheduledsparkapplications");
  expect((await operated.run(["status", "--scheduled", "nightly"])).stdout).toContain(
    "Error        Invalid timezone: Mars",
  );
});

test("takes patterns, tells of what is not there, and that a schedule is called so", async () => {
  await operated.apply(application("etl-1"));
  await operated.apply(application("etl-2", { suspend: true }));
  await operated.apply(schedule("nightly"));
  const { code, stdout, stderr } = await operated.run(["status", "-o", "yaml", "etl-*", "nightly"]);
  expect(code).toBe(1);
  expect(parse(stdout)).toMatchObject([{ name: "etl-1" }, { name: "etl-2", suspended: true }]);
  expect(stderr).toBe(
    'error: no SparkApplication in namespace spark-jobs is called "nightly"\n' +
      "hint: a ScheduledSparkApplication is called so: add --scheduled\n",
  );
  expect((await operated.run(["status", "etl-1"])).stdout).toContain("hint: no operator has looked at it yet;");
  expect((await operated.run(["status", "etl-2"])).stdout).toContain(
    "hint: kindling app resume spark-jobs:etl-2 lets it run",
  );
  expect((await operated.run(["status", "No_Name"])).stderr).toContain(
    "hint: kindling app list -n spark-jobs shows those that are there; for another namespace, -n or NAMESPACE:NAME\n",
  );
});

test("-w shows one until it has ended, or is deleted", async () => {
  await operated.apply(application("pi"));
  await operated.tellState("pi", "RUNNING");
  const watching = operated.startApp(["status", "-w", "-o", "table", "pi"]);
  await watching.saying("RUNNING");
  await operated.tellState("pi", "COMPLETED");
  const { code, stdout } = await watching.ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^spark-jobs +pi +RUNNING [^]*^spark-jobs +pi +COMPLETED /m);
  await operated.apply(application("gone"));
  const other = operated.startApp(["status", "-w", "gone"]);
  await other.saying("NEW");
  await operated.run(["delete", "gone"]);
  expect((await other.ended).stdout).toMatch(/^gone was deleted$/m);
});
