/** The states of an application, by stock's names (api/v1beta2, `ApplicationStateType`). The empty one is a new application's. */
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
  /** What Spark calls it: `spark-…`. */
  readonly sparkApplicationId?: string | undefined;
  /** Of the last submission that was recorded, failed ones included. */
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
   * How the last attempts ended, the newest last. Stock has no such field: where its definition is installed, the API
   * server drops it, so that nothing may depend on it.
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
  /** The driver's. */
  readonly exitCode?: number | undefined;
  /** As it stood in `applicationState`. */
  readonly errorMessage?: string | undefined;
  /** Why it failed, as far as the driver's pod, its log and its executors tell. */
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

/** Of an application that nobody has looked at yet. */
export const NO_STATUS: SparkApplicationStatus = { driverInfo: {}, applicationState: { state: "" } };
