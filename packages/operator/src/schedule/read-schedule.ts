import { DNS_LABEL_MAX_LENGTH } from "@kindling/core-spec";
import type { ScheduledSparkApplication } from "@kindling/spark-application";
import { parseSchedule, type Schedule } from "./cron/parse-schedule.ts";
import { ScheduleSyntaxError } from "./cron/schedule-syntax-error.ts";
import type { TimeZone, TimeZones } from "./cron/time-zones.ts";
import { runName, type TimestampPrecision } from "./scheduled-run.ts";

/** What the operator's flags and machine add to a schedule. */
export interface ScheduleRules {
  readonly precision: TimestampPrecision;
  readonly zones: TimeZones;
  /**
   * Whether a run that Forbid delays is skipped, so that the next run begins at a time of the schedule, as in stock.
   * Otherwise it begins as soon as no other run is active.
   */
  readonly stockTiming: boolean;
}

export interface ReadSchedule {
  /** Undefined if there are faults. */
  readonly schedule: Schedule | undefined;
  readonly faults: readonly string[];
}

/**
 * Reads when a schedule has to run. The faults are stock's, in its words, and one more: names of runs that would be too
 * long for a SparkApplication. Stock finds that out each time it starts a run.
 */
export function readSchedule(
  { metadata, spec }: ScheduledSparkApplication,
  { precision, zones }: ScheduleRules,
  nowMs: number,
): ReadSchedule {
  const { timeZone = "" } = spec;
  const zone = timeZone === "" ? zones.local : zones.find(timeZone);
  const faults: string[] = [];
  if (zone === undefined) faults.push(`Invalid timezone: unknown time zone ${timeZone}`);
  const schedule = parsed(spec.schedule, { zone: zone ?? zones.local, zones }, faults);
  const excess = runName(metadata.name, nowMs, precision).length - DNS_LABEL_MAX_LENGTH;
  if (excess > 0) faults.push(tooLong(metadata.name.length - excess));
  return { schedule: faults.length === 0 ? schedule : undefined, faults };
}

function parsed(
  text: string,
  zones: { readonly zone: TimeZone; readonly zones: TimeZones },
  faults: string[],
): Schedule | undefined {
  try {
    return parseSchedule(text, zones);
  } catch (error) {
    if (!(error instanceof ScheduleSyntaxError)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

function tooLong(longest: number): string {
  return (
    `the names of the runs would have more than ${DNS_LABEL_MAX_LENGTH} characters: metadata.name may have ` +
    `${longest} at most, or more with a coarser --scheduled-spark-application-timestamp-precision of the operator`
  );
}
