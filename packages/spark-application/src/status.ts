/**
 * The states of an application, by stock's names (api/v1beta2, `ApplicationStateType`). A new application has the empty
 * state.
 */
export const APPLICATION_STATES = [
  "",
  "SUBMITTED",
  "RUNNING",
  "COMPLETED",
  "FAILED",
  "SUBMISSION_FAILED",
  "PENDING_RERUN",
  "INVALIDATING",
  "SUCCEEDING",
  "FAILING",
  "SUSPENDING",
  "SUSPENDED",
  "RESUMING",
  "UNKNOWN",
] as const;

export type ApplicationState = (typeof APPLICATION_STATES)[number];

export type DriverState = "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "UNKNOWN";

export type ExecutorState = "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "UNKNOWN";

/**
 * All that the operator keeps about an application. Times are RFC 3339 in UTC with whole seconds, as Kubernetes writes
 * them; `null` is how stock writes a time that is not set.
 */
export interface SparkApplicationStatus {
  /** Spark's id of the application: `spark-…`. */
  readonly sparkApplicationId?: string | undefined;
  /** The id of the last recorded submission, even if it failed. */
  readonly submissionID?: string | undefined;
  readonly lastSubmissionAttemptTime?: string | null | undefined;
  readonly terminationTime?: string | null | undefined;
  readonly driverInfo: DriverInfo;
  readonly applicationState: { readonly state: ApplicationState; readonly errorMessage?: string | undefined };
  /** By pod name. */
  readonly executorState?: Readonly<Record<string, ExecutorState>> | undefined;
  readonly executionAttempts?: number | undefined;
  readonly submissionAttempts?: number | undefined;
  /**
   * How the last attempts ended, the newest last. Stock has no such field: if stock's definition is installed, the API
   * server drops it, so no code may depend on it.
   */
  readonly attempts?: readonly EndedAttempt[] | undefined;
}

/** How an attempt ended: a run of a driver, or a submission that made none. */
export interface EndedAttempt {
  readonly outcome: "COMPLETED" | "FAILED" | "SUBMISSION_FAILED";
  readonly submissionID?: string | undefined;
  /** When it was submitted. */
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  /** The driver's exit code. */
  readonly exitCode?: number | undefined;
  /** The message that was in `applicationState`. */
  readonly errorMessage?: string | undefined;
  /** Why it failed, as far as the driver's pod, its log and its executors show it. */
  readonly diagnosis?: string | undefined;
}

export interface DriverInfo {
  readonly webUIServiceName?: string | undefined;
  readonly webUIAddress?: string | undefined;
  readonly webUIPort?: number | undefined;
  readonly webUIIngressName?: string | undefined;
  readonly webUIIngressAddress?: string | undefined;
  readonly podName?: string | undefined;
}

/** The status of an application that no operator has handled yet. */
export const NO_STATUS: SparkApplicationStatus = { driverInfo: {}, applicationState: { state: "" } };
