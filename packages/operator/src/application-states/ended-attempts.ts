import type { EndedAttempt, SparkApplicationStatus } from "@kindling/spark-application";
import { warning, type ApplicationEvent } from "./application-event.ts";

/** How many attempts the status keeps. */
const MOST = 5;
/** Each text about an attempt is cut after this many characters: an object has to stay small. */
const LONGEST = 1_000;

/** The status with one more ended attempt. As many earlier attempts are kept as there is room for. */
export function withEnded(status: SparkApplicationStatus, ended: EndedAttempt): SparkApplicationStatus {
  const { errorMessage, diagnosis, ...rest } = ended;
  const attempt: EndedAttempt = {
    ...rest,
    submissionID: status.submissionID,
    startTime: status.lastSubmissionAttemptTime ?? undefined,
    ...(errorMessage !== undefined && { errorMessage: cut(errorMessage) }),
    ...(diagnosis !== undefined && { diagnosis: cut(diagnosis) }),
  };
  return { ...status, attempts: [...(status.attempts ?? []), attempt].slice(-MOST) };
}

/**
 * The event for a failed run, for people who see only events: stock's message, and why it failed. The status has this
 * message only until the next run begins.
 */
export function failedRunEvent(
  name: string,
  { executionAttempts = 0 }: SparkApplicationStatus,
  { errorMessage = "", diagnosis }: EndedAttempt,
): ApplicationEvent {
  const why = diagnosis === undefined ? "" : `; ${diagnosis}`;
  return warning(
    "SparkApplicationAttemptFailed",
    `Run ${executionAttempts} of SparkApplication ${name} failed: ${errorMessage}${why}`,
  );
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
