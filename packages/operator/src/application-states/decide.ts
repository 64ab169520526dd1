import { isDeepStrictEqual } from "node:util";
import type {
  ApplicationState,
  DriverInfo,
  SparkApplication,
  SparkApplicationStatus,
} from "@kindling/spark-application";
import type { PodRecord } from "../pods/pod-record.ts";
import type { ApplicationEvent } from "./application-event.ts";
import { failedRunEvent, withEnded } from "./ended-attempts.ts";
import { observeDriver, withoutDriver } from "./observe-driver.ts";
import { observeExecutors, type ExecutorsSeen } from "./observe-executors.ts";
import { retryAt, shouldRetry } from "./retry.ts";
import { stateEvent } from "./state-events.ts";
import { inState, resetFor, timeText, withoutUnset } from "./status-changes.ts";
import { isSpecChanged, nextSubmissionId, type SubmittedSpec } from "./submission-id.ts";

/** All that a decision depends on. */
export interface View {
  /** As it is stored. */
  readonly stored: SparkApplication;
  /** The same with the defaults that stock's webhook would have stored. */
  readonly application: SparkApplication;
  /** What is known of the spec that was submitted last. */
  readonly submitted: SubmittedSpec | undefined;
  /** All driver pods that belong to this object, whichever submission made them. */
  readonly drivers: readonly PodRecord[];
  readonly executors: ExecutorsSeen;
  /** Why the driver failed, if that was found out. */
  readonly diagnosis?: string | undefined;
  /** What is known of the service and the ingress of Spark's UI. */
  readonly driverInfo: DriverInfo;
  readonly nowMs: number;
  readonly rules: Rules;
}

export interface Rules {
  readonly driverPodCreationGracePeriodMs: number;
  /** For applications that name none; 0 is none. */
  readonly defaultTimeToLiveSeconds: number;
  /** Stock's feature gate: a change of the executors' scheduling begins no new run. */
  readonly partialRestart: boolean;
}

/** What is done in the cluster before the status is written. Each action may be repeated without harm. */
export type Action =
  | { readonly kind: "submit"; readonly submissionId: string }
  /** Deletes drivers, and the service and the ingress of their UI; then the status is written. */
  | {
      readonly kind: "delete-run";
      readonly pods: readonly PodRecord[];
      readonly afterwards: SparkApplicationStatus;
      readonly events: readonly ApplicationEvent[];
    }
  | { readonly kind: "delete-application" }
  /** The object is being deleted: its pods are deleted at once. */
  | { readonly kind: "clean-up"; readonly pods: readonly PodRecord[] };

export interface Decision {
  /** What the status has to be; the stored one if nothing is to be written. */
  readonly status: SparkApplicationStatus;
  /** Recorded once the status is written. */
  readonly events: readonly ApplicationEvent[];
  /** Only if the status is stored already: an action always follows from a stored status. */
  readonly action: Action | undefined;
  /** When to check again even if nothing happens, in milliseconds since the epoch. */
  readonly lookAgainAtMs: number | undefined;
}

/**
 * What to do about an application: a total function of what is stored and seen. States follow stock's
 * (kubeflow/spark-operator v2.5.2, internal/controller/sparkapplication/controller.go). Several changes of state that
 * need no action become one. A state that needs an action is stored first, so that the action is repeated after a crash
 * in between.
 */
export function decide(view: View): Decision {
  const { application, nowMs } = view;
  const stored = application.status;
  if (application.metadata.deletionTimestamp !== undefined)
    return { ...WAIT, status: stored, events: [], action: { kind: "clean-up", pods: remaining(view) } };
  const events: ApplicationEvent[] = [];
  const to = (from: SparkApplicationStatus, next: Observed): SparkApplicationStatus => {
    const { state, errorMessage } = next.status.applicationState;
    const isNew = state !== from.applicationState.state;
    events.push(...next.events, ...(isNew ? stateEvent(application.metadata.name, state, errorMessage) : []));
    return next.status;
  };
  const begun = to(stored, silent(interrupted(view, stored)));
  const observed = to(begun, observe(view, begun));
  const status = to(observed, silent(settled(view, observed)));
  const next = nextStep(view, status);
  if (isDeepStrictEqual(withoutUnset(status), withoutUnset(stored))) return { ...next, status: stored, events: [] };
  const lookAgainAtMs = next.action === undefined ? next.lookAgainAtMs : nowMs;
  return { status, events, action: undefined, lookAgainAtMs };
}

/** A changed spec and a suspension come before anything else. */
function interrupted(view: View, status: SparkApplicationStatus): SparkApplicationStatus {
  const { suspend = false } = view.application.spec;
  const changed = hasOtherSpec(view) ? forOtherSpec(status, suspend) : status;
  return suspend && !KEPT_WHEN_SUSPENDED.has(changed.applicationState.state) ? inState(changed, "SUSPENDING") : changed;
}

function forOtherSpec(status: SparkApplicationStatus, isSuspended: boolean): SparkApplicationStatus {
  const { state } = status.applicationState;
  // Between two runs, the next submission uses the spec as it is then. Only the counts of attempts have to begin again.
  if (state === "PENDING_RERUN" || state === "RESUMING") return resetFor("changed-spec", status);
  const isOnTheWay = ON_THE_WAY.has(state) || (state === "SUSPENDED" && isSuspended);
  return isOnTheWay ? status : inState(status, "INVALIDATING");
}

/** The steps after these states read the spec themselves. */
const ON_THE_WAY: ReadonlySet<ApplicationState> = new Set(["", "INVALIDATING", "SUSPENDING"]);

const KEPT_WHEN_SUSPENDED: ReadonlySet<ApplicationState> = new Set(["COMPLETED", "FAILED", "SUSPENDING", "SUSPENDED"]);

function hasOtherSpec({ stored, submitted, rules }: View): boolean {
  return submitted !== undefined && isSpecChanged(stored, submitted, rules.partialRestart);
}

interface Observed {
  readonly status: SparkApplicationStatus;
  readonly events: readonly ApplicationEvent[];
}

function silent(status: SparkApplicationStatus): Observed {
  return { status, events: [] };
}

function observe(view: View, status: SparkApplicationStatus): Observed {
  const { state } = status.applicationState;
  if (state === "COMPLETED" || state === "FAILED") return observeExecutors(status, view.executors);
  if (state !== "SUBMITTED" && state !== "RUNNING" && state !== "UNKNOWN") return silent(status);
  const driver = judged(view, status, observedDriver(view, status));
  const executors = observeExecutors(driver.status, view.executors);
  const driverInfo = { ...executors.status.driverInfo, ...view.driverInfo };
  return { status: { ...executors.status, driverInfo }, events: [...driver.events, ...executors.events] };
}

function observedDriver(view: View, status: SparkApplicationStatus): Observed {
  const driver = presentDriver(view, status);
  if (driver !== undefined) return observeDriver(status, driver, view.nowMs);
  const mayStillCome = status.applicationState.state === "SUBMITTED" && view.nowMs < graceEnd(view, status);
  return silent(mayStillCome ? status : withoutDriver(status, view.nowMs));
}

/** The end of a run is kept in a field besides the state, because the next run changes the state. */
function judged(view: View, before: SparkApplicationStatus, { status, events }: Observed): Observed {
  const { state, errorMessage } = status.applicationState;
  if (state !== "FAILING" && state !== "SUCCEEDING") return { status, events };
  const exitCode = presentDriver(view, before)?.terminated?.exitCode;
  const endTime = status.terminationTime ?? undefined;
  if (state === "SUCCEEDING") return { status: withEnded(status, { outcome: "COMPLETED", endTime, exitCode }), events };
  const failed = { outcome: "FAILED", endTime, exitCode, errorMessage, diagnosis: view.diagnosis } as const;
  const told = failedRunEvent(view.application.metadata.name, status, failed);
  return { status: withEnded(status, failed), events: [...events, told] };
}

function presentDriver({ drivers }: View, status: SparkApplicationStatus): PodRecord | undefined {
  return drivers.find(
    ({ name, submissionId }) => name === status.driverInfo.podName && submissionId === status.submissionID,
  );
}

function graceEnd({ rules }: View, { lastSubmissionAttemptTime }: SparkApplicationStatus): number {
  const last = Date.parse(lastSubmissionAttemptTime ?? "");
  return Number.isNaN(last) ? 0 : last + rules.driverPodCreationGracePeriodMs;
}

/** An end after which nothing is tried again, and the end of a suspension. */
function settled({ application, drivers, nowMs }: View, status: SparkApplicationStatus): SparkApplicationStatus {
  const { spec } = application;
  const { state } = status.applicationState;
  if (state === "SUSPENDED") return spec.suspend === true || drivers.length > 0 ? status : inState(status, "RESUMING");
  if (shouldRetry(spec, status)) return status;
  if (state === "SUCCEEDING") return inState(status, "COMPLETED");
  if (state === "FAILING") return inState(status, "FAILED");
  // The drivers of an incomplete submission are deleted first.
  if (state === "SUBMISSION_FAILED" && drivers.length === 0)
    return { ...inState(status, "FAILED"), terminationTime: timeText(nowMs) };
  return status;
}

type NextStep = Pick<Decision, "action" | "lookAgainAtMs">;

const WAIT: NextStep = { action: undefined, lookAgainAtMs: undefined };

/** The next step in a stored state. */
function nextStep(view: View, status: SparkApplicationStatus): NextStep {
  switch (status.applicationState.state) {
    case "":
    case "RESUMING":
    case "PENDING_RERUN":
      return submitStep(view, status);
    case "SUBMISSION_FAILED":
      return shouldRetry(view.application.spec, status)
        ? whenDue(view, status, () => submitStep(view, status))
        : clearedStep(view, status);
    case "FAILING":
    case "SUCCEEDING":
      return whenDue(view, status, () => deleteStep(view, resetFor("rerun", status)));
    case "INVALIDATING":
      return deleteStep(view, resetFor("changed-spec", status));
    case "SUSPENDING":
      return deleteStep(view, resetFor("suspended", status));
    case "SUSPENDED":
      return view.drivers.length > 0 ? clearedStep(view, status) : WAIT;
    case "COMPLETED":
    case "FAILED":
      return endedStep(view, status);
    case "SUBMITTED":
      return presentDriver(view, status) === undefined ? { ...WAIT, lookAgainAtMs: graceEnd(view, status) } : WAIT;
    case "RUNNING":
    case "UNKNOWN":
      return WAIT;
  }
}

function whenDue({ application, nowMs }: View, status: SparkApplicationStatus, then: () => NextStep): NextStep {
  const dueAtMs = retryAt(application.spec, status);
  return nowMs < dueAtMs ? { ...WAIT, lookAgainAtMs: dueAtMs } : then();
}

/**
 * Drivers of earlier submissions have to be gone before the next one. If a pod of the next submission exists already, an
 * operator made it and could not record it: submitting again finds it.
 */
function submitStep(view: View, status: SparkApplicationStatus): NextStep {
  const submissionId = nextSubmissionId(view.stored);
  const isClear = view.drivers.every((pod) => pod.submissionId === submissionId && !pod.isDeleting);
  return isClear ? { ...WAIT, action: { kind: "submit", submissionId } } : clearedStep(view, status);
}

/** Deletes the pods that are left, and checks again: the watch may not report that a pod is gone. */
function clearedStep(view: View, status: SparkApplicationStatus): NextStep {
  const pods = remaining(view);
  const action: Action | undefined =
    pods.length === 0 ? undefined : { kind: "delete-run", pods, afterwards: status, events: [] };
  return { action, lookAgainAtMs: view.nowMs + LOOK_AGAIN_MS };
}

function deleteStep(view: View, afterwards: SparkApplicationStatus): NextStep {
  const events = stateEvent(view.application.metadata.name, afterwards.applicationState.state);
  return { ...WAIT, action: { kind: "delete-run", pods: remaining(view), afterwards, events } };
}

function remaining({ drivers }: View): readonly PodRecord[] {
  return drivers.filter(({ isDeleting }) => !isDeleting);
}

const LOOK_AGAIN_MS = 1000;

/**
 * If a driver still runs after the end, its submission is not the one in the status: somebody has changed the status by
 * hand.
 */
function endedStep(view: View, status: SparkApplicationStatus): NextStep {
  const pods = remaining(view).filter(
    ({ phase, submissionId }) => !ENDED_PHASES.has(phase) && submissionId !== status.submissionID,
  );
  if (pods.length === 0) return expiryStep(view, status);
  return {
    action: { kind: "delete-run", pods, afterwards: status, events: [] },
    lookAgainAtMs: view.nowMs + LOOK_AGAIN_MS,
  };
}

const ENDED_PHASES: ReadonlySet<string> = new Set(["Succeeded", "Failed"]);

function expiryStep({ application, nowMs, rules }: View, { terminationTime }: SparkApplicationStatus): NextStep {
  const byDefault = rules.defaultTimeToLiveSeconds > 0 ? rules.defaultTimeToLiveSeconds : undefined;
  const seconds = application.spec.timeToLiveSeconds ?? byDefault;
  const endedAtMs = Date.parse(terminationTime ?? "");
  if (seconds === undefined || Number.isNaN(endedAtMs)) return WAIT;
  const expiresAtMs = endedAtMs + Math.max(seconds, 0) * 1000;
  return nowMs > expiresAtMs
    ? { ...WAIT, action: { kind: "delete-application" } }
    : { ...WAIT, lookAgainAtMs: expiresAtMs + 1 };
}
