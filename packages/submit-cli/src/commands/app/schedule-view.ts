import type { ScheduledSparkApplicationSpec, ScheduledSparkApplicationStatus } from "@kindling/spark-application";
import { fieldsOf, textOf, textsOf, type Unread } from "./untrusted.ts";
import type { Operated, OperatedObject } from "./operated-object.ts";

/** A ScheduledSparkApplication in the form for people and programs. */
export interface ScheduleView extends Operated {
  readonly schedule: string | undefined;
  readonly timeZone: string | undefined;
  readonly concurrencyPolicy: string | undefined;
  /** Why the schedule is invalid. */
  readonly reason: string | undefined;
  readonly lastRun: string | undefined;
  readonly lastRunName: string | undefined;
  readonly nextRun: string | undefined;
  /** The newest first. */
  readonly pastSuccessfulRuns: readonly string[];
  readonly pastFailedRuns: readonly string[];
}

/** Reads a ScheduledSparkApplication. */
export function scheduleView({ metadata, spec, status }: OperatedObject): ScheduleView {
  const wanted: Unread<ScheduledSparkApplicationSpec> = fieldsOf(spec);
  const told: Unread<ScheduledSparkApplicationStatus> = fieldsOf(status);
  return {
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    state: textOf(told.scheduleState) ?? "",
    reason: textOf(told.reason),
    suspended: wanted.suspend === true,
    schedule: textOf(wanted.schedule),
    timeZone: textOf(wanted.timeZone),
    concurrencyPolicy: textOf(wanted.concurrencyPolicy),
    created: textOf(metadata?.creationTimestamp),
    lastRun: textOf(told.lastRun),
    lastRunName: textOf(told.lastRunName),
    nextRun: textOf(told.nextRun),
    pastSuccessfulRuns: textsOf(told.pastSuccessfulRunNames),
    pastFailedRuns: textsOf(told.pastFailedRunNames),
  };
}
