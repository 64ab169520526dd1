import type { EndedAttempt, SparkApplicationStatus } from "@kindling/spark-application";
import { warning, type ApplicationEvent } from "./application-event.ts";

/** So many attempts are remembered. */
const MOST = 5;
/** What is said of each is cut behind so many characters: an object has to stay small. */
const LONGEST = 1_000;

/** The status with another attempt that has ended. Those that began before it are kept, as many as there is room for. */
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
 * A run that has failed, for people who have events and no more: what stock says of it, and why. Its words stand in the
 * status only until the next run begins.
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
