import { describe, expect, test } from "vitest";
import type { SparkApplicationSpec, SparkApplicationStatus } from "@kindling/spark-application";
import { decide } from "../../src/application-states/decide.ts";
import { nextSubmissionId } from "../../src/application-states/submission-id.ts";
import { application, executor, NOW, pod, secondsAgo, view } from "./views.ts";

/** A status after a submission a while ago. */
function submitted(
  state: SparkApplicationStatus["applicationState"]["state"],
  over: Partial<SparkApplicationStatus> = {},
): Partial<SparkApplicationStatus> {
  return {
    applicationState: { state },
    submissionID: ID,
    driverInfo: { podName: "pi-driver" },
    lastSubmissionAttemptTime: secondsAgo(30),
    submissionAttempts: 1,
    executionAttempts: 1,
    ...over,
  };
}

const ID = nextSubmissionId(application());
const DRIVER = pod({ submissionId: ID });

function ended(exitCode: number, phase = exitCode === 0 ? "Succeeded" : "Failed"): typeof DRIVER {
  const reason = exitCode === 0 ? "Completed" : "Error";
  return { ...DRIVER, phase, terminated: { exitCode, reason, finishedAt: secondsAgo(1) } };
}

describe("submitting", () => {
  test("a new application is submitted, with an id that repeats", () => {
    const { action, status } = decide(view(application()));
    expect(action).toEqual({ kind: "submit", submissionId: ID });
    expect(status.applicationState.state).toBe("");
  });

  test("a pod of the very same submission is found by submitting again", () => {
    expect(decide(view(application(), { drivers: [DRIVER] })).action).toMatchObject({ kind: "submit" });
  });

  test("drivers of other submissions go first", () => {
    const old = pod({ submissionId: "another" });
    const decision = decide(view(application(), { drivers: [old] }));
    expect(decision).toMatchObject({ action: { kind: "delete-run", pods: [old] }, lookAgainAtMs: NOW + 1000 });
    const going = decide(view(application(), { drivers: [{ ...old, isDeleting: true }] }));
    expect(going).toMatchObject({ action: undefined, lookAgainAtMs: NOW + 1000 });
  });

  test("one that is suspended from the start is not submitted before it is resumed", () => {
    const suspending = decide(view(application({}, { suspend: true })));
    expect(suspending.status.applicationState.state).toBe("SUSPENDING");
    const suspended = decide(view(application({ ...suspending.status }, { suspend: true })));
    expect(suspended.action).toMatchObject({
      kind: "delete-run",
      afterwards: { applicationState: { state: "SUSPENDED" } },
      events: [{ reason: "SparkApplicationSuspended" }],
    });
    const still = application({ applicationState: { state: "SUSPENDED" } }, { suspend: true });
    expect(decide(view(still))).toMatchObject({ action: undefined, status: still.status, lookAgainAtMs: undefined });
    const resumed = decide(view(application({ applicationState: { state: "SUSPENDED" } })));
    expect(resumed.status.applicationState.state).toBe("RESUMING");
    expect(decide(view(application(resumed.status))).action).toMatchObject({ kind: "submit" });
  });
});

describe("watching a driver", () => {
  test.each([
    ["Pending", undefined, "SUBMITTED"],
    ["Running", undefined, "RUNNING"],
    ["Unknown", undefined, "UNKNOWN"],
  ])("a pod that is %s makes the application %s%s", (phase, terminated, state) => {
    const { status, events } = decide(
      view(application(submitted("SUBMITTED")), { drivers: [{ ...DRIVER, phase, terminated }] }),
    );
    expect(status).toMatchObject({ applicationState: { state }, sparkApplicationId: "spark-1" });
    expect(events.map(({ reason }) => reason)).toEqual(
      state === "SUBMITTED" ? [] : [`SparkDriver${state === "RUNNING" ? "Running" : "Unknown"}`],
    );
  });

  test("success and failure become their last state in one write", () => {
    const good = decide(view(application(submitted("RUNNING")), { drivers: [ended(0)] }));
    expect(good.status).toMatchObject({ applicationState: { state: "COMPLETED" }, terminationTime: secondsAgo(0) });
    expect(good.events.map(({ reason }) => reason)).toEqual(["SparkDriverCompleted", "SparkApplicationCompleted"]);
    const bad = decide(view(application(submitted("RUNNING")), { drivers: [ended(3)] }));
    expect(bad.status.applicationState).toEqual({
      state: "FAILED",
      errorMessage: "driver container failed with ExitCode: 3, Reason: Error",
    });
    expect(bad.events.map(({ reason }) => reason)).toEqual([
      "SparkDriverFailed",
      "SparkApplicationAttemptFailed",
      "SparkApplicationFailed",
    ]);
  });

  test("the end of Spark's container is the end, though a sidecar lives; a pod that failed beside it completed", () => {
    const beside = decide(view(application(submitted("RUNNING")), { drivers: [ended(0, "Running")] }));
    expect(beside.status.applicationState.state).toBe("COMPLETED");
    const sidecarFailed = decide(view(application(submitted("RUNNING")), { drivers: [ended(0, "Failed")] }));
    expect(sidecarFailed.status.applicationState.state).toBe("COMPLETED");
  });

  test("an evicted driver says why", () => {
    const evicted = { ...DRIVER, phase: "Failed", reason: "Evicted", message: "The node was low on memory" };
    const { status } = decide(view(application(submitted("RUNNING")), { drivers: [evicted] }));
    expect(status.applicationState.errorMessage).toBe(
      "driver container status missing, Pod: Evicted: The node was low on memory",
    );
  });

  test("a driver may take its time to appear, and is missed afterwards", () => {
    const young = submitted("SUBMITTED", { lastSubmissionAttemptTime: secondsAgo(4) });
    expect(decide(view(application(young)))).toMatchObject({ action: undefined, lookAgainAtMs: NOW + 6_000 });
    const { status } = decide(view(application(submitted("SUBMITTED"))));
    expect(status.applicationState).toEqual({ state: "FAILED", errorMessage: "driver pod not found" });
    expect(decide(view(application(submitted("RUNNING")))).status.applicationState.state).toBe("FAILED");
  });

  test("a pod of another submission is not the driver", () => {
    const { status } = decide(view(application(submitted("RUNNING")), { drivers: [pod({ submissionId: "other" })] }));
    expect(status.applicationState.errorMessage).toBe("driver pod not found");
  });
});

describe("executors", () => {
  const running = (over: Partial<SparkApplicationStatus> = {}): Partial<SparkApplicationStatus> =>
    submitted("RUNNING", { sparkApplicationId: "spark-1", ...over });

  test("are shown by the names of their pods, up to an id", () => {
    const pods = [executor(1), executor(2, { phase: "Pending" }), executor(1001)];
    const executors = { pods, promised: ["pi-exec-3", "pi-exec-2"], mostTracked: 1000 };
    const { status, events } = decide(view(application(running()), { drivers: [DRIVER], executors }));
    expect(status.executorState).toEqual({ "pi-exec-1": "RUNNING", "pi-exec-2": "PENDING", "pi-exec-3": "PENDING" });
    expect(events.map(({ message }) => message)).toEqual([
      "Executor pi-exec-1 is running",
      "Executor pi-exec-2 is pending",
    ]);
  });

  test("that have gone are unknown while the driver runs, and end as it does", () => {
    const executorState = { gone: "RUNNING", failed: "FAILED" } as const;
    const during = decide(view(application(running({ executorState })), { drivers: [DRIVER] }));
    expect(during.status.executorState).toEqual({ gone: "UNKNOWN", failed: "FAILED" });
    const good = decide(view(application(running({ executorState })), { drivers: [ended(0)] }));
    expect(good.status.executorState).toEqual({ gone: "COMPLETED", failed: "FAILED" });
    const bad = decide(view(application(running({ executorState })), { drivers: [ended(1)] }));
    expect(bad.status.executorState).toEqual({ gone: "FAILED", failed: "FAILED" });
  });

  test("a failed one tells how it ended", () => {
    const terminated = { exitCode: 137, reason: "OOMKilled", finishedAt: "" };
    const executors = { pods: [executor(1, { phase: "Failed", terminated })], promised: [], mostTracked: 10 };
    const { events } = decide(view(application(running()), { drivers: [DRIVER], executors }));
    expect(events).toEqual([
      {
        type: "Warning",
        reason: "SparkExecutorFailed",
        message: "Executor pi-exec-1 failed with ExitCode: 137, Reason: OOMKilled, Pod Message: ",
      },
    ]);
  });
});

describe("trying again", () => {
  const policy = (type: "OnFailure" | "Always"): Partial<SparkApplicationSpec> => ({
    restartPolicy: {
      ...{ type, onFailureRetries: 2, onSubmissionFailureRetries: 1 },
      ...{ onFailureRetryInterval: 10, onSubmissionFailureRetryInterval: 20 },
    },
  });

  test("a failure is stored before the next run is prepared, and waits for the interval times all submissions", () => {
    const failing = decide(view(application(submitted("RUNNING"), policy("OnFailure")), { drivers: [ended(1)] }));
    expect(failing).toMatchObject({ action: undefined, lookAgainAtMs: NOW });
    expect(failing.status.applicationState.state).toBe("FAILING");
    const early = submitted("FAILING", { submissionAttempts: 4 });
    expect(decide(view(application(early, policy("OnFailure"))))).toMatchObject({
      action: undefined,
      lookAgainAtMs: NOW + 10_000,
    });
    const { action } = decide(view(application(failing.status, policy("OnFailure")), { drivers: [ended(1)] }));
    expect(action).toMatchObject({ kind: "delete-run", events: [{ reason: "SparkApplicationPendingRerun" }] });
    if (action?.kind !== "delete-run") throw new Error("nothing is deleted");
    expect(JSON.parse(JSON.stringify(action.afterwards))).toEqual({
      submissionID: ID,
      ...{ lastSubmissionAttemptTime: secondsAgo(30), executionAttempts: 1, submissionAttempts: 1 },
      driverInfo: {},
      applicationState: { state: "PENDING_RERUN" },
      attempts: [
        {
          ...{ outcome: "FAILED", submissionID: ID, exitCode: 1, startTime: secondsAgo(30), endTime: secondsAgo(0) },
          errorMessage: "driver container failed with ExitCode: 1, Reason: Error",
        },
      ],
    });
    const next = decide(view(application(action.afterwards, policy("OnFailure")), { drivers: [] }));
    expect(next.action).toMatchObject({ kind: "submit" });
    expect(next.action).not.toMatchObject({ submissionId: ID });
  });

  test.each([
    ["OnFailure", "FAILING", { executionAttempts: 2 }, "FAILING"],
    ["OnFailure", "FAILING", { executionAttempts: 3 }, "FAILED"],
    ["Always", "FAILING", { executionAttempts: 99 }, "FAILING"],
    ["OnFailure", "SUCCEEDING", {}, "COMPLETED"],
    ["Always", "SUCCEEDING", {}, "SUCCEEDING"],
    ["OnFailure", "SUBMISSION_FAILED", { submissionAttempts: 1 }, "SUBMISSION_FAILED"],
    ["OnFailure", "SUBMISSION_FAILED", { submissionAttempts: 2 }, "FAILED"],
    ["Always", "SUBMISSION_FAILED", { submissionAttempts: 99 }, "SUBMISSION_FAILED"],
  ] as const)("%s in %s with %o is %s", (type, state, attempts, then) => {
    const { status } = decide(view(application(submitted(state, attempts), policy(type))));
    expect(status.applicationState.state).toBe(then);
  });

  test("how the last five attempts ended is kept through whatever follows, with why a run failed", () => {
    let { status } = application();
    for (let run = 1; run <= 7; run += 1) {
      const diagnosis = `reason ${run}`;
      const running = application(submitted("RUNNING", { attempts: status.attempts }), policy("Always"));
      const decision = decide({ ...view(running, { drivers: [ended(run)] }), diagnosis });
      expect(decision.events.find(({ reason }) => reason === "SparkApplicationAttemptFailed")).toEqual({
        type: "Warning",
        reason: "SparkApplicationAttemptFailed",
        message: `Run 1 of SparkApplication pi failed: driver container failed with ExitCode: ${run}, Reason: Error; ${diagnosis}`,
      });
      const { action } = decide(view(application(decision.status, policy("Always")), { drivers: [ended(run)] }));
      if (action?.kind !== "delete-run") throw new Error("nothing is deleted");
      status = action.afterwards;
    }
    expect(status.attempts?.map(({ exitCode, diagnosis }) => [exitCode, diagnosis])).toEqual(
      [3, 4, 5, 6, 7].map((run) => [run, `reason ${run}`]),
    );
    const well = decide(
      view(application(submitted("RUNNING", { attempts: status.attempts })), { drivers: [ended(0)] }),
    );
    expect(well.status.attempts).toHaveLength(5);
    expect(well.status.attempts?.at(-1)).toMatchObject({ outcome: "COMPLETED", exitCode: 0 });
    expect(well.events.map(({ reason }) => reason)).not.toContain("SparkApplicationAttemptFailed");
  });

  test("what a failed submission left half made goes before it counts as failed", () => {
    const half = decide(view(application(submitted("SUBMISSION_FAILED")), { drivers: [DRIVER] }));
    expect(half.action).toMatchObject({ kind: "delete-run", pods: [DRIVER] });
  });
});

describe("an edited spec", () => {
  const edited = (status: Partial<SparkApplicationStatus>): ReturnType<typeof application> =>
    application(status, { arguments: ["100"] }, 2);

  test.each(["SUBMITTED", "RUNNING", "COMPLETED", "FAILED", "FAILING", "SUBMISSION_FAILED", "UNKNOWN"] as const)(
    "runs anew from %s, with attempts from the start",
    (state) => {
      const { status } = decide(view(edited(submitted(state)), { drivers: [DRIVER] }));
      expect(status.applicationState.state).toBe("INVALIDATING");
      const { action } = decide(view(edited(submitted("INVALIDATING")), { drivers: [DRIVER] }));
      if (action?.kind !== "delete-run") throw new Error("nothing is deleted");
      expect(JSON.parse(JSON.stringify(action.afterwards))).toEqual({
        ...{ submissionID: ID, driverInfo: {}, applicationState: { state: "PENDING_RERUN" } },
      });
      expect(decide(view(edited(action.afterwards))).action).toMatchObject({ kind: "submit" });
    },
  );

  test("of TTL or suspension is none", () => {
    const status = submitted("COMPLETED", { terminationTime: secondsAgo(10) });
    const later = application(status, { timeToLiveSeconds: 60, suspend: true }, 2);
    expect(decide(view(later))).toMatchObject({ status: later.status, lookAgainAtMs: NOW + 50_001 });
  });
});

describe("the end", () => {
  test.each([
    [60, 61, "delete-application"],
    [60, 59, undefined],
    [0, 1, "delete-application"],
    [undefined, 1_000_000, undefined],
  ])("after %o s to live and %o s since the end: %s", (timeToLiveSeconds, seconds, kind) => {
    const status = submitted("FAILED", { terminationTime: secondsAgo(seconds) });
    const spec = timeToLiveSeconds === undefined ? {} : { timeToLiveSeconds };
    expect(decide(view(application(status, spec))).action?.kind).toBe(kind);
  });

  test("the operator's own time to live is for those that name none", () => {
    const { rules } = view(application());
    const status = submitted("COMPLETED", { terminationTime: secondsAgo(100) });
    const byDefault = { rules: { ...rules, defaultTimeToLiveSeconds: 50 } };
    expect(decide(view(application(status), byDefault)).action?.kind).toBe("delete-application");
    expect(decide(view(application(status, { timeToLiveSeconds: 500 }), byDefault)).action).toBeUndefined();
  });

  test("takes away a driver that runs on under an id that the status does not name", () => {
    const at = { terminationTime: secondsAgo(1) };
    const other = pod({ submissionId: "of-another-run" });
    const ended = view(application(submitted("FAILED", at)), { drivers: [other] });
    expect(decide(ended)).toMatchObject({
      action: { kind: "delete-run", pods: [other], afterwards: { applicationState: { state: "FAILED" } } },
    });
    const kept = [{ ...other, phase: "Succeeded" }, { ...other, isDeleting: true }, DRIVER];
    expect(decide(view(application(submitted("FAILED", at)), { drivers: kept })).action).toBeUndefined();
  });

  test("an object that is being deleted takes its driver along", () => {
    const { metadata, ...rest } = application(submitted("RUNNING"));
    const deleted = { ...rest, metadata: { ...metadata, deletionTimestamp: secondsAgo(1) } };
    expect(decide(view(deleted, { drivers: [DRIVER] })).action).toEqual({ kind: "clean-up", pods: [DRIVER] });
  });
});
