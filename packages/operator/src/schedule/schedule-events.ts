import type { ScheduledSparkApplication, ScheduledSparkApplicationStatus } from "@kindling/spark-application";
import { normal, warning, type ApplicationEvent } from "../application-states/application-event.ts";
import { timeText } from "../application-states/status-changes.ts";

/** The events for a change of a schedule's status. Stock has none. */
export function scheduleEvents(
  { metadata, status: stored }: ScheduledSparkApplication,
  status: ScheduledSparkApplicationStatus,
): readonly ApplicationEvent[] {
  const subject = `ScheduledSparkApplication ${metadata.name}`;
  const { scheduleState, reason = "" } = status;
  const isNew = scheduleState !== stored.scheduleState;
  if (reason !== "")
    return isNew || reason !== stored.reason
      ? [warning(`ScheduledSparkApplication${scheduleState ?? ""}`, `${subject} has no next run: ${reason}`)]
      : [];
  return isNew
    ? [normal("ScheduledSparkApplicationScheduled", `${subject} is scheduled, next for ${status.nextRun ?? ""}`)]
    : [];
}

export function startedEvent(name: string, plannedMs: number, replaces: string | undefined): ApplicationEvent {
  const instead = replaces === undefined ? "" : ` instead of ${replaces}, which has not ended`;
  return normal(
    "ScheduledSparkApplicationRunStarted",
    `SparkApplication ${name} was started for ${timeText(plannedMs)}${instead}`,
  );
}

export function skippedEvent(plannedMs: number, blocking: string): ApplicationEvent {
  return normal(
    "ScheduledSparkApplicationRunSkipped",
    `the run for ${timeText(plannedMs)} was skipped: SparkApplication ${blocking} has not ended`,
  );
}
