import { describe, expect, test } from "vitest";
import { decideSchedule } from "../../src/schedule/decide-schedule.ts";
import { DUE, due, NOTHING, run, runAt, time, view, type Parts } from "./schedules.ts";

describe("a changed schedule has another next run", () => {
  test.each([
    ["0 10 * * *", "0 18 * * *", time("18:00")],
    ["@hourly", "*/15 * * * *", time("10:00")],
    ["@every 1h", "@every 10m", time("09:40")],
    ["@every 10m", "@every 1h", time("10:30")],
    ["@hourly", "@every 5m", time("09:35")],
  ])("%s and %s", (before, schedule, nextRun) => {
    const planned = decideSchedule(
      view({ spec: { schedule: before }, status: { ...DUE, nextRun: null } }, { at: "09:05" }),
    );
    const unchanged = decideSchedule(view({ spec: { schedule: before }, status: planned.status }, { at: "09:06" }));
    expect(unchanged.status).toBe(planned.status);
    const changed = decideSchedule(view({ spec: { schedule }, status: planned.status }, { at: "09:30" }));
    expect(changed.start).toBeUndefined();
    expect(changed.status.nextRun).toBe(nextRun);
  });

  test("in its zone too", () => {
    const status = { ...DUE, nextRun: time("10:00") };
    const spec = { schedule: "0 10 * * *", timeZone: "Europe/Paris" };
    expect(decideSchedule(view({ spec, status }, { at: "09:30" })).status.nextRun).toBe("2026-02-02T09:00:00Z");
  });

  test("but not where daylight saving puts a run on another day", () => {
    const spec = { schedule: "0 5 3 11 *", timeZone: "America/Sao_Paulo" };
    const status = { ...DUE, lastRun: "2018-11-03T12:00:00Z", nextRun: "2018-11-04T07:00:00Z" };
    const nowMs = Date.parse("2018-11-04T07:00:00Z");
    expect(decideSchedule(view({ spec, status }, { nowMs })).start?.name).toBe(`pi-${nowMs / 1000}`);
  });

  test("never at a time that has had its run, though the clock was set back", () => {
    const decision = decideSchedule(
      view({ spec: { schedule: "*/5 * * * *" }, status: { ...DUE, nextRun: null } }, { at: "08:00" }),
    );
    expect(decision.status.nextRun).toBe(time("09:05"));
  });
});

describe("a suspended schedule", () => {
  test.each([
    ["that is due", { spec: { suspend: true }, status: DUE }],
    ["that could not be followed", { spec: { suspend: true, schedule: "never" } }],
    ["that is deleted instead", { metadata: { deletionTimestamp: time("10:09") }, status: DUE }],
  ])("%s stays as it is", (_, parts: Parts) => {
    const runs = [run("07:00", "COMPLETED"), run("08:00", "COMPLETED")];
    expect(decideSchedule(view(parts, { runs }))).toEqual({ ...NOTHING, status: parts.status ?? {} });
  });

  test("has one run at once when it goes on", () => {
    expect(due({ suspend: false }, { at: "15:00" }).start?.name).toBe(runAt("10:00"));
  });
});

describe("a schedule that cannot be followed", () => {
  const longName = "a".repeat(44);

  test.each([
    ["its zone", { spec: { timeZone: "Mars/Phobos" } }, "Invalid timezone: unknown time zone Mars/Phobos"],
    ["its schedule", { spec: { schedule: "0 0 * * 7" } }, "end of range (7) above maximum (6): 7 (day of week)"],
    [
      "the zone in its schedule",
      { spec: { schedule: "TZ=PST @daily" } },
      "provided bad location PST: unknown time zone PST",
    ],
    [
      "both",
      { spec: { timeZone: "PST", schedule: "0" } },
      "Invalid timezone: unknown time zone PST; expected exactly 5 fields, found 1: [0]",
    ],
    [
      "the length of its name",
      { metadata: { name: longName } },
      "the names of the runs would have more than 63 characters: metadata.name may have 43 at most, or more with a " +
        "coarser --scheduled-spark-application-timestamp-precision of the operator",
    ],
  ])("for %s says so", (_, parts, reason) => {
    const decision = decideSchedule(view({ ...parts, status: DUE }, { rules: { precision: "nanos" } }));
    expect(decision.status).toEqual({ ...DUE, scheduleState: "FailedValidation", reason });
    expect(decision).toMatchObject({ start: undefined, lookAgainAtMs: undefined });
    expect(decision.events).toMatchObject([{ type: "Warning", reason: "ScheduledSparkApplicationFailedValidation" }]);
    expect(decision.events[0]?.message).toContain(reason);
    const again = decideSchedule(view({ ...parts, status: decision.status }, { rules: { precision: "nanos" } }));
    expect(again).toMatchObject({ status: decision.status, events: [] });
  });

  test("for what else was found in it says that first", () => {
    const { status } = due({ schedule: "0" }, { faults: ['sparkConf key "spark.master" is not allowed'] });
    expect(status.reason).toBe('sparkConf key "spark.master" is not allowed; expected exactly 5 fields, found 1: [0]');
  });

  test("does not fill its status with what was written there", () => {
    expect(due({ schedule: `\u001b[31m${"x".repeat(5000)}` }).status.reason).not.toMatch(/\u001b|x{3000}/);
  });

  test("is as new once it is mended: what was missed meanwhile is not made up for", () => {
    const status = { ...DUE, scheduleState: "FailedValidation", reason: "it was wrong" } as const;
    const decision = decideSchedule(view({ status }, { at: "15:30" }));
    expect(decision.status).toEqual({ ...DUE, nextRun: time("16:00") });
    expect(decision).toMatchObject({ start: undefined, events: [{ reason: "ScheduledSparkApplicationScheduled" }] });
  });

  test("with a name as long as can be is followed", () => {
    const parts = { metadata: { name: "a".repeat(43) }, status: DUE };
    expect(decideSchedule(view(parts, { rules: { precision: "nanos" } })).start?.name).toHaveLength(63);
  });
});

test("a schedule without a time in five years is looked at again, and says so", () => {
  const spec = { schedule: "0 0 29 2 *" };
  const nowMs = Date.parse("2097-06-01T00:00:00Z");
  const hole = decideSchedule(view({ spec, status: DUE }, { nowMs }));
  expect(hole.status).toMatchObject({
    scheduleState: "Scheduled",
    reason: "the schedule has no time in the next five years",
  });
  expect(hole.status.nextRun).toBeUndefined();
  expect(hole).toMatchObject({ start: undefined, lookAgainAtMs: nowMs + 86_400_000, events: [{ type: "Warning" }] });
  const again = decideSchedule(view({ spec, status: hole.status }, { nowMs }));
  expect(again).toMatchObject({ status: hole.status, events: [] });
  const later = decideSchedule(view({ spec, status: hole.status }, { nowMs: Date.parse("2099-01-02T00:00:00Z") }));
  expect(later.status).toMatchObject({ nextRun: "2104-02-29T00:00:00Z" });
  expect(later.status.reason).toBeUndefined();
});
