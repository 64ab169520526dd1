import type { SparkApplicationSpec, SparkApplicationStatus } from "@kindling/spark-application";

/**
 * Whether there is another run after this state (kubeflow/spark-operator v2.5.2, pkg/util/sparkapplication.go,
 * `ShouldRetry`). N retries are N + 1 runs; without a number there is no retry.
 */
export function shouldRetry({ restartPolicy = {} }: SparkApplicationSpec, status: SparkApplicationStatus): boolean {
  const { type = "Never" } = restartPolicy;
  const { executionAttempts = 0, submissionAttempts = 0 } = status;
  const { state } = status.applicationState;
  const isFailure = state === "FAILING" || state === "SUBMISSION_FAILED";
  if (type === "Always") return isFailure || state === "SUCCEEDING";
  if (type !== "OnFailure" || !isFailure) return false;
  return state === "FAILING"
    ? executionAttempts <= (restartPolicy.onFailureRetries ?? -1)
    : submissionAttempts <= (restartPolicy.onSubmissionFailureRetries ?? -1);
}

/**
 * When the next run may begin, in milliseconds since the epoch. Stock counts from the last submission, not from its end,
 * and multiplies the interval by all submissions so far (`TimeUntilNextRetryDue`). After a success, stock begins the next
 * run at once. Here it begins a second after the last submission, so that an application that ends immediately does not
 * fill the cluster.
 */
export function retryAt({ restartPolicy = {} }: SparkApplicationSpec, status: SparkApplicationStatus): number {
  const { lastSubmissionAttemptTime, submissionAttempts = 0 } = status;
  const last = Date.parse(lastSubmissionAttemptTime ?? "");
  const seconds =
    status.applicationState.state === "SUCCEEDING"
      ? 1
      : submissionAttempts *
        ((status.applicationState.state === "FAILING"
          ? restartPolicy.onFailureRetryInterval
          : restartPolicy.onSubmissionFailureRetryInterval) ?? DEFAULT_INTERVAL_SECONDS);
  return Number.isNaN(last) ? 0 : last + seconds * 1000;
}

const DEFAULT_INTERVAL_SECONDS = 5;
