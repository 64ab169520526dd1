import type { SparkApplicationStatus } from "@kindling/spark-application";
import { withEnded } from "./ended-attempts.ts";
import { timeText } from "./status-changes.ts";

/** How a submission ended. */
export type SubmissionOutcome =
  | { readonly kind: "submitted" }
  /** @param message in stock's words */
  | { readonly kind: "failed"; readonly message: string };

/** A submission that has to be recorded. */
export interface SubmissionAttempt {
  readonly submissionId: string;
  readonly driverPodName: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/**
 * The status after a submission (kubeflow/spark-operator v2.5.2, `submitSparkApplication`). One write records both the
 * attempt and its result: clients read every state other than SUBMITTED as a start.
 */
export function afterSubmission(
  status: SparkApplicationStatus,
  { submissionId, driverPodName, startedAtMs, endedAtMs }: SubmissionAttempt,
  outcome: SubmissionOutcome,
): SparkApplicationStatus {
  const attempted = {
    ...status,
    submissionID: submissionId,
    driverInfo: { ...status.driverInfo, podName: driverPodName },
    lastSubmissionAttemptTime: timeText(startedAtMs),
    submissionAttempts: (status.submissionAttempts ?? 0) + 1,
  };
  if (outcome.kind === "failed") {
    const { message } = outcome;
    const failed = { ...attempted, applicationState: { state: "SUBMISSION_FAILED", errorMessage: message } as const };
    return withEnded(failed, { outcome: "SUBMISSION_FAILED", endTime: timeText(endedAtMs), errorMessage: message });
  }
  return {
    ...attempted,
    applicationState: { state: "SUBMITTED" },
    executionAttempts: (status.executionAttempts ?? 0) + 1,
  };
}
