import {
  OPERATOR_LABELS,
  type DriverInfo,
  type EndedAttempt as StoredAttempt,
  type RestartPolicy,
  type SparkApplicationSpec,
  type SparkApplicationStatus,
} from "@kindling/spark-application";
import type { Operated, OperatedObject } from "./operated-object.ts";
import { countOf, fieldsOf, textOf, type Unread } from "./untrusted.ts";

/** The state of an object that no operator has handled yet. */
export const NEW = "NEW";

/** A SparkApplication in the form for people and programs. */
export interface ApplicationView extends Operated {
  /** Why it failed. */
  readonly errorMessage: string | undefined;
  readonly sparkVersion: string | undefined;
  readonly image: string | undefined;
  /** The restart policy: `Never`, `OnFailure`, `Always`. */
  readonly restartPolicy: string | undefined;
  /** Spark's id for it: `spark-…`. */
  readonly applicationId: string | undefined;
  readonly submissionId: string | undefined;
  readonly driverPod: string | undefined;
  /** How often its driver was started. */
  readonly executionAttempts: number;
  /** How often it was submitted since its last run. */
  readonly submissionAttempts: number;
  /** The start of the last submission. */
  readonly started: string | undefined;
  readonly finished: string | undefined;
  /** How the last attempts ended, the newest last, if the cluster's definition keeps this. */
  readonly attempts: readonly EndedAttempt[];
  /** How many executors are in each state, by its name. */
  readonly executors: Readonly<Record<string, number>>;
  readonly webUi: WebUi;
  /** The ScheduledSparkApplication that it is a run of. */
  readonly schedule: string | undefined;
}

/** How an attempt to run an application ended. */
export interface EndedAttempt {
  /** `COMPLETED`, `FAILED`, or `SUBMISSION_FAILED` if there was no driver. */
  readonly outcome: string;
  readonly started: string | undefined;
  readonly finished: string | undefined;
  /** The driver's exit code. */
  readonly exitCode: number | undefined;
  readonly errorMessage: string | undefined;
  /** Why it failed: the operator found this out while the driver's pod existed. */
  readonly diagnosis: string | undefined;
}

/** The addresses of the driver's web UI. */
export interface WebUi {
  /** The address behind an ingress, from outside of the cluster. */
  readonly ingress: string | undefined;
  readonly service: string | undefined;
  /** `host:port` inside of the cluster. */
  readonly address: string | undefined;
}

/** Reads a SparkApplication. */
export function applicationView({ metadata, spec, status }: OperatedObject): ApplicationView {
  const wanted: Unread<SparkApplicationSpec> = fieldsOf(spec);
  const restartPolicy: Unread<RestartPolicy> = fieldsOf(wanted.restartPolicy);
  const told: Unread<SparkApplicationStatus> = fieldsOf(status);
  const driver: Unread<DriverInfo> = fieldsOf(told.driverInfo);
  const state: Unread<SparkApplicationStatus["applicationState"]> = fieldsOf(told.applicationState);
  return {
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    state: textOf(state.state) ?? "",
    errorMessage: textOf(state.errorMessage),
    suspended: wanted.suspend === true,
    sparkVersion: textOf(wanted.sparkVersion),
    image: textOf(wanted.image),
    restartPolicy: textOf(restartPolicy.type),
    applicationId: textOf(told.sparkApplicationId),
    submissionId: textOf(told.submissionID),
    driverPod: textOf(driver.podName),
    executionAttempts: countOf(told.executionAttempts),
    submissionAttempts: countOf(told.submissionAttempts),
    created: textOf(metadata?.creationTimestamp),
    started: textOf(told.lastSubmissionAttemptTime),
    finished: textOf(told.terminationTime),
    attempts: attemptsIn(told.attempts),
    executors: byState(told.executorState),
    webUi: {
      ingress: textOf(driver.webUIIngressAddress),
      service: textOf(driver.webUIServiceName),
      address: textOf(driver.webUIAddress),
    },
    schedule: textOf(metadata?.labels?.[OPERATOR_LABELS.scheduledAppName]),
  };
}

function attemptsIn(attempts: unknown): EndedAttempt[] {
  const items: readonly unknown[] = Array.isArray(attempts) ? attempts : [];
  return items
    .map((item): Unread<StoredAttempt> => fieldsOf(item))
    .map((attempt) => ({
      outcome: textOf(attempt.outcome) ?? "UNKNOWN",
      started: textOf(attempt.startTime),
      finished: textOf(attempt.endTime),
      exitCode: typeof attempt.exitCode === "number" ? attempt.exitCode : undefined,
      errorMessage: textOf(attempt.errorMessage),
      diagnosis: textOf(attempt.diagnosis),
    }));
}

function byState(executorState: unknown): Record<string, number> {
  const counts = new Map<string, number>();
  for (const state of Object.values(fieldsOf(executorState))) {
    const name = textOf(state) ?? "UNKNOWN";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether the operator does nothing more by itself for an application in this state. */
export function isOver(state: string): boolean {
  return state === "COMPLETED" || state === "FAILED";
}

/** The operator's message about an application that it could not submit, in any of kubeflow's versions. */
const REFUSED = /^failed to /;

/**
 * Whether the operator could not create a driver from the application: there is no log, and another attempt would end in the
 * same way.
 */
export function isRefused({ state, errorMessage = "" }: Pick<ApplicationView, "state" | "errorMessage">): boolean {
  return (state === "FAILED" || state === "SUBMISSION_FAILED") && REFUSED.test(errorMessage);
}

/** Whether something of it runs, or will soon run, that another run would end. */
export function isActive(state: string): boolean {
  return state !== "" && state !== "SUSPENDED" && !isOver(state);
}
