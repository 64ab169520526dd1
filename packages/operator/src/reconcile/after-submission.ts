import type { SparkApplicationStatus } from "../api/v1beta2/status.ts";
import { timeText } from "./status-changes.ts";

/** How a submission ended. */
export type SubmissionOutcome =
  | { readonly kind: "submitted" }
  /** @param message in stock's words */
  | { readonly kind: "failed"; readonly message: string };

/** A submission that is to be recorded. */
export interface SubmissionAttempt {
  readonly submissionId: string;
  readonly driverPodName: string;
  readonly startedAtMs: number;
}

/**
 * The status after a submission (kubeflow/spark-operator v2.5.2, `submitSparkApplication`). One write says that there was
 * an attempt and how it ended: clients take every other state than SUBMITTED as a start.
 */
export function afterSubmission(
  status: SparkApplicationStatus,
  { submissionId, driverPodName, startedAtMs }: SubmissionAttempt,
  outcome: SubmissionOutcome,
): SparkApplicationStatus {
  const attempted = {
    ...status,
    submissionID: submissionId,
    driverInfo: { ...status.driverInfo, podName: driverPodName },
    lastSubmissionAttemptTime: timeText(startedAtMs),
    submissionAttempts: (status.submissionAttempts ?? 0) + 1,
  };
  if (outcome.kind === "failed")
    return { ...attempted, applicationState: { state: "SUBMISSION_FAILED", errorMessage: outcome.message } };
  return {
    ...attempted,
    applicationState: { state: "SUBMITTED" },
    executionAttempts: (status.executionAttempts ?? 0) + 1,
  };
}
