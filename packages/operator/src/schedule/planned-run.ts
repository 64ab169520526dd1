import { nextTime } from "./cron/next-time.ts";
import type { Schedule } from "./cron/parse-schedule.ts";

/** Where a schedule stands. Times are milliseconds since the epoch. */
export interface Progress {
  readonly lastRunMs: number | undefined;
  readonly lastRunName: string | undefined;
  /** Undefined if the schedule has no time in the next years. */
  readonly nextRunMs: number | undefined;
}

export interface RecordedProgress extends Progress {
  /** Before it, nothing can have been planned. */
  readonly createdMs: number;
}

/**
 * What is recorded, with another next run if the recorded one is not of this schedule: it was never planned, or the
 * schedule has been changed since. One that is of it stays, also if its time has passed while nobody looked: it is then
 * the one run that is made up for.
 */
export function plannedRun(schedule: Schedule, recorded: RecordedProgress, nowMs: number): Progress {
  const { lastRunMs, lastRunName, nextRunMs } = recorded;
  if (nextRunMs !== undefined && isTimeOf(schedule, recorded, nextRunMs, nowMs))
    return { lastRunMs, lastRunName, nextRunMs };
  // Never a time that may have had its run, even where the clock was set back.
  return { lastRunMs, lastRunName, nextRunMs: nextTime(schedule, Math.max(nowMs, lastRunMs ?? nowMs)) };
}

/** After a run that has begun at this time. */
export function afterRun(schedule: Schedule, name: string, begunMs: number): Progress {
  return { lastRunMs: begunMs, lastRunName: name, nextRunMs: nextTime(schedule, begunMs) };
}

function isTimeOf(
  schedule: Schedule,
  { lastRunMs, createdMs }: RecordedProgress,
  nextRunMs: number,
  nowMs: number,
): boolean {
  if (schedule.kind === "delay") {
    // Counted from a run, or from any time since then at which it was planned.
    const plannedMs = nextRunMs - schedule.delayMs;
    return plannedMs >= (lastRunMs ?? createdMs) && plannedMs <= nowMs;
  }
  if (lastRunMs !== undefined && nextRunMs <= lastRunMs) return false;
  // Beside a change of daylight saving, a time may be next that would not be found from the second before.
  return nextTime(schedule, nextRunMs - 1000) === nextRunMs || nextTime(schedule, lastRunMs ?? createdMs) === nextRunMs;
}
