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

/** How the state is shown of what no operator has looked at yet. */
export const NEW = "NEW";

/** A SparkApplication, as far as it is told of, for people and programs. */
export interface ApplicationView extends Operated {
  /** Why it failed. */
  readonly errorMessage: string | undefined;
  readonly sparkVersion: string | undefined;
  readonly image: string | undefined;
  /** When it is started again: `Never`, `OnFailure`, `Always`. */
  readonly restartPolicy: string | undefined;
  /** What Spark calls it: `spark-…`. */
  readonly applicationId: string | undefined;
  readonly submissionId: string | undefined;
  readonly driverPod: string | undefined;
  /** How often its driver was started. */
  readonly executionAttempts: number;
  /** How often it was submitted since its last run. */
  readonly submissionAttempts: number;
  /** Of the last submission. */
  readonly started: string | undefined;
  readonly finished: string | undefined;
  /** How the last attempts ended, the newest last; where the cluster's definition keeps that. */
  readonly attempts: readonly EndedAttempt[];
  /** How many executors are in each state, by its name. */
  readonly executors: Readonly<Record<string, number>>;
  readonly webUi: WebUi;
  /** The ScheduledSparkApplication that it is a run of. */
  readonly schedule: string | undefined;
}

/** How an attempt to run an application ended. */
export interface EndedAttempt {
  /** `COMPLETED`, `FAILED`, or `SUBMISSION_FAILED` where there was no driver. */
  readonly outcome: string;
  readonly started: string | undefined;
  readonly finished: string | undefined;
  /** The driver's. */
  readonly exitCode: number | undefined;
  readonly errorMessage: string | undefined;
  /** Why it failed, as the operator found out while the driver's pod was there. */
  readonly diagnosis: string | undefined;
}

/** Where the driver's pages are. */
export interface WebUi {
  /** Behind an ingress, from outside of the cluster. */
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

/** Whether the operator does nothing more by itself about an application in this state. */
export function isOver(state: string): boolean {
  return state === "COMPLETED" || state === "FAILED";
}

/** What the operator says of an application that it could not submit, in any of kubeflow's words. */
const REFUSED = /^failed to /;

/**
 * Whether the operator could not make a driver of it as it is: there is no log to be read, and another attempt comes to the
 * same end.
 */
export function isRefused({ state, errorMessage = "" }: Pick<ApplicationView, "state" | "errorMessage">): boolean {
  return (state === "FAILED" || state === "SUBMISSION_FAILED") && REFUSED.test(errorMessage);
}

/** Whether something of it runs, or is about to, that another run would end. */
export function isActive(state: string): boolean {
  return state !== "" && state !== "SUSPENDED" && !isOver(state);
}
