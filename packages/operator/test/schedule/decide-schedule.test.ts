import { describe, expect, test } from "vitest";
import { decideSchedule } from "../../src/schedule/decide-schedule.ts";
import { DUE, due, ms, NOTHING, run, runAt, TEMPLATE, time, view, type Parts } from "./schedules.ts";

describe("a new schedule", () => {
  test("is planned", () => {
    const decision = decideSchedule(view());
    expect(decision).toMatchObject({ start: undefined, deleteRuns: [], lookAgainAtMs: ms("11:00") });
    expect(decision.status).toEqual({ scheduleState: "Scheduled", nextRun: time("11:00") });
    expect(decision.events.map(({ reason }) => reason)).toEqual(["ScheduledSparkApplicationScheduled"]);
  });

  test.each([
    [{ schedule: "0 12 * * *", timeZone: "Asia/Tokyo" }, "2026-02-02T03:00:00Z"],
    [{ schedule: "0 12 * * *", timeZone: "Local" }, time("12:00")],
    [{ schedule: "TZ=Asia/Tokyo 0 12 * * *", timeZone: "Europe/London" }, "2026-02-02T03:00:00Z"],
    [{ schedule: "@every 90m" }, time("11:40")],
  ])("of %j", (spec, nextRun) => {
    expect(decideSchedule(view({ spec })).status.nextRun).toBe(nextRun);
  });

  test("of stock's own that is being validated is planned too", () => {
    expect(decideSchedule(view({ status: { scheduleState: "Validating" } })).status.scheduleState).toBe("Scheduled");
  });
});

describe("a run that is due", () => {
  test("is started under the name of its time, and the next one is planned", () => {
    const decision = decideSchedule(
      view({ status: DUE, metadata: { labels: { team: "a", "sparkoperator.k8s.io/scheduled-app-name": "other" } } }),
    );
    expect(decision.start).toEqual({
      name: runAt("10:00"),
      labels: { team: "a", "sparkoperator.k8s.io/scheduled-app-name": "pi" },
      ownerReference: {
        apiVersion: "sparkoperator.k8s.io/v1beta2",
        kind: "ScheduledSparkApplication",
        name: "pi",
        uid: "uid-1",
        blockOwnerDeletion: true,
      },
      spec: TEMPLATE,
      replaces: undefined,
    });
    expect(decision.status).toEqual({
      scheduleState: "Scheduled",
      lastRun: time("10:10"),
      lastRunName: runAt("10:00"),
      nextRun: time("11:00"),
    });
    expect(decision).toMatchObject({
      lookAgainAtMs: ms("11:00"),
      events: [{ reason: "ScheduledSparkApplicationRunStarted" }],
    });
  });

  test.each([
    ["nanos", "000000000"],
    ["micros", "000000"],
    ["millis", "000"],
    ["seconds", ""],
  ] as const)("is named in %s", (precision, zeros) => {
    expect(due({}, { rules: { precision } }).start?.name).toBe(`${runAt("10:00")}${zeros}`);
  });

  test("is named in minutes", () => {
    expect(due({}, { rules: { precision: "minutes" } }).start?.name).toBe(`pi-${ms("10:00") / 60_000}`);
  });

  test("is not started before its time", () => {
    const early = due({}, { at: "09:59:59" });
    expect(early).toMatchObject({ start: undefined, status: DUE, events: [], lookAgainAtMs: ms("10:00") });
  });

  test("is one, however many were missed", () => {
    const late = due({}, { at: "17:20" });
    expect(late.start?.name).toBe(runAt("10:00"));
    expect(late.status.nextRun).toBe(time("18:00"));
  });

  test("is not started again if it is there and was not recorded", () => {
    const made = { ...run("10:00"), creationTimestamp: time("10:02") };
    const decision = due({ concurrencyPolicy: "Forbid" }, { runs: [made] });
    expect(decision).toMatchObject({ start: undefined, lookAgainAtMs: ms("11:00") });
    expect(decision.status).toMatchObject({
      lastRun: time("10:02"),
      lastRunName: runAt("10:00"),
      nextRun: time("11:00"),
    });
  });

  test("that was not recorded does not stand for those that were missed after it", () => {
    const runs = [run("10:00")];
    const recorded = due({ concurrencyPolicy: "Replace" }, { runs, at: "15:30" });
    expect(recorded).toMatchObject({ start: undefined, deleteRuns: [], lookAgainAtMs: ms("11:00") });
    const status = recorded.status;
    const decision = decideSchedule(view({ spec: { concurrencyPolicy: "Replace" }, status }, { runs, at: "15:30" }));
    expect(decision.start).toMatchObject({ name: runAt("11:00"), replaces: runAt("10:00") });
    expect(decision.status).toMatchObject({ lastRun: time("15:30"), nextRun: time("16:00") });
  });

  test("whose name is that of the last run is left out", () => {
    const precision = "minutes";
    const name = `pi-${ms("10:10") / 60_000}`;
    const status = { ...DUE, lastRun: time("10:10"), lastRunName: name, nextRun: time("10:10:20") };
    const decision = decideSchedule(
      view(
        { spec: { schedule: "@every 20s" }, status },
        { at: "10:10:25", runs: [{ ...run("10:10"), name }], rules: { precision } },
      ),
    );
    expect(decision).toMatchObject({ start: undefined, events: [], status: { ...status, nextRun: time("10:10:40") } });
  });
});

describe("while another run is under way", () => {
  const running = run("09:00");

  test.each([{}, { concurrencyPolicy: "Allow" }] as const)("%j starts", (spec) => {
    expect(due(spec, { runs: [running] }).start).toMatchObject({ name: runAt("10:00"), replaces: undefined });
  });

  test("Forbid waits until it has ended, and then starts at once", () => {
    const waiting = due({ concurrencyPolicy: "Forbid" }, { runs: [running], at: "12:30" });
    expect(waiting).toEqual({ ...NOTHING, status: DUE });
    const free = due({ concurrencyPolicy: "Forbid" }, { runs: [run("09:00", "FAILED")], at: "12:31" });
    expect(free).toMatchObject({ start: { name: runAt("10:00") }, status: { nextRun: time("13:00") } });
  });

  test("Forbid waits for an older one too", () => {
    const runs = [run("09:00", "COMPLETED"), run("08:00", "PENDING_RERUN")];
    expect(due({ concurrencyPolicy: "Forbid" }, { runs }).start).toBeUndefined();
  });

  test("Forbid with stock's timing leaves the run out", () => {
    const decision = due(
      { concurrencyPolicy: "Forbid" },
      { runs: [running], at: "12:30", rules: { stockTiming: true } },
    );
    expect(decision).toMatchObject({
      start: undefined,
      status: { ...DUE, nextRun: time("13:00") },
      events: [{ reason: "ScheduledSparkApplicationRunSkipped" }],
      lookAgainAtMs: ms("13:00"),
    });
  });

  test("Replace takes the newest away, and no other", () => {
    const replaced = due({ concurrencyPolicy: "Replace" }, { runs: [run("08:00"), running] });
    expect(replaced).toMatchObject({ start: { name: runAt("10:00"), replaces: runAt("09:00") }, deleteRuns: [] });
    const ended = due({ concurrencyPolicy: "Replace" }, { runs: [run("08:00"), run("09:00", "COMPLETED")] });
    expect(ended.start).toMatchObject({ replaces: undefined });
  });

  test("of two that were made in one second, the one planned later is the newest", () => {
    const [one, other] = [run("08:00"), { ...run("09:00"), creationTimestamp: time("08:00") }];
    for (const runs of [
      [one, other],
      [other, one],
    ])
      expect(due({ concurrencyPolicy: "Replace" }, { runs }).start?.replaces).toBe(other.name);
  });
});

describe("history", () => {
  const runs = [
    run("05:00", "FAILED"),
    run("08:00", "COMPLETED"),
    run("06:00", "FAILED"),
    run("07:00", "COMPLETED"),
    run("04:00", "SUBMISSION_FAILED"),
    run("03:00"),
  ];
  const wait = (spec: NonNullable<Parts["spec"]>) =>
    decideSchedule(view({ spec, status: { ...DUE, nextRun: time("11:00") } }, { runs }));

  test("is the newest of each outcome", () => {
    const decision = wait({});
    expect(decision.deleteRuns).toEqual([runAt("07:00"), runAt("05:00")]);
    expect(decision.status).toMatchObject({
      pastSuccessfulRunNames: [runAt("08:00")],
      pastFailedRunNames: [runAt("06:00")],
    });
    expect(decision).toMatchObject({ start: undefined, events: [], lookAgainAtMs: ms("11:00") });
  });

  test("has its limits", () => {
    const decision = wait({ successfulRunHistoryLimit: 0, failedRunHistoryLimit: 5 });
    expect(decision.deleteRuns).toEqual([runAt("08:00"), runAt("07:00")]);
    expect(decision.status.pastSuccessfulRunNames).toBeUndefined();
    expect(decision.status.pastFailedRunNames).toEqual([runAt("06:00"), runAt("05:00")]);
    expect(wait({ failedRunHistoryLimit: -1 }).deleteRuns).toContain(runAt("06:00"));
  });

  test("is kept also by a schedule that cannot be followed", () => {
    expect(wait({ schedule: "never" }).deleteRuns).toEqual([runAt("07:00"), runAt("05:00")]);
  });
});
