import type { ApplicationState, SparkApplicationStatus } from "@kindling/spark-application";

/** As Kubernetes writes times: RFC 3339 in UTC, whole seconds. */
export function timeText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The same status in another state. The message of an error stays unless another is given. */
export function inState(
  status: SparkApplicationStatus,
  state: ApplicationState,
  errorMessage: string | undefined = status.applicationState.errorMessage,
): SparkApplicationStatus {
  return { ...status, applicationState: errorMessage === undefined ? { state } : { state, errorMessage } };
}

/**
 * What is left of a status when the run is over and another may follow (kubeflow/spark-operator v2.5.2,
 * `resetSparkApplicationStatus`): after a changed spec the counts of attempts begin again, a suspension keeps the times.
 * The submission id always stays, because the next one depends on it. The results of earlier attempts stay too, for
 * people.
 */
export function resetFor(
  next: "rerun" | "changed-spec" | "suspended",
  status: SparkApplicationStatus,
): SparkApplicationStatus {
  const { submissionID, lastSubmissionAttemptTime, terminationTime, executionAttempts, submissionAttempts } = status;
  const kept = { submissionID, driverInfo: {}, attempts: status.attempts };
  switch (next) {
    case "rerun":
      return {
        ...kept,
        ...{ lastSubmissionAttemptTime, executionAttempts, submissionAttempts },
        applicationState: { state: "PENDING_RERUN" },
      };
    case "changed-spec":
      return { ...kept, applicationState: { state: "PENDING_RERUN" } };
    case "suspended":
      return {
        ...kept,
        ...{ lastSubmissionAttemptTime, terminationTime, executionAttempts, submissionAttempts },
        applicationState: { state: "SUSPENDED" },
      };
  }
}

/** The same without members that are undefined, as JSON has it; so two statuses can be compared. */
export function withoutUnset(status: SparkApplicationStatus): unknown {
  return JSON.parse(JSON.stringify(status));
}
