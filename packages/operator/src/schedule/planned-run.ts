import { nextTime } from "./cron/next-time.ts";
import type { Schedule } from "./cron/parse-schedule.ts";

/** The progress of a schedule. Times are milliseconds since the epoch. */
export interface Progress {
  readonly lastRunMs: number | undefined;
  readonly lastRunName: string | undefined;
  /** Undefined if the schedule has no time in the next years. */
  readonly nextRunMs: number | undefined;
}

export interface RecordedProgress extends Progress {
  /** No run can be planned before this time. */
  readonly createdMs: number;
}

/**
 * The recorded progress, with another next run if the recorded one is not a time of this schedule: none was planned yet,
 * or the schedule was changed since. A next run that is a time of this schedule stays, even if its time passed while no
 * operator ran: it is then the one run that is made up for.
 */
export function plannedRun(schedule: Schedule, recorded: RecordedProgress, nowMs: number): Progress {
  const { lastRunMs, lastRunName, nextRunMs } = recorded;
  if (nextRunMs !== undefined && isTimeOf(schedule, recorded, nextRunMs, nowMs))
    return { lastRunMs, lastRunName, nextRunMs };
  // Never a time that may have had its run already, even if the clock was set back.
  return { lastRunMs, lastRunName, nextRunMs: nextTime(schedule, Math.max(nowMs, lastRunMs ?? nowMs)) };
}

/** The progress after a run that has begun at this time. */
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
    // It was counted from a run, or from a later time at which it was planned.
    const plannedMs = nextRunMs - schedule.delayMs;
    return plannedMs >= (lastRunMs ?? createdMs) && plannedMs <= nowMs;
  }
  if (lastRunMs !== undefined && nextRunMs <= lastRunMs) return false;
  // Near a change of daylight saving, a time may be the next one even if a search from the second before does not find
  // it.
  return nextTime(schedule, nextRunMs - 1000) === nextRunMs || nextTime(schedule, lastRunMs ?? createdMs) === nextRunMs;
}
