import type { ApplicationState, DriverState, ExecutorState } from "@kindling/spark-application";
import { driverState } from "../pods/pod-states.ts";
import type { PodRecord } from "../pods/pod-record.ts";
import { normal, warning, type ApplicationEvent } from "./application-event.ts";

/** The events for an application that has entered a state; some states have none. */
export function stateEvent(name: string, state: ApplicationState, errorMessage = ""): readonly ApplicationEvent[] {
  const subject = `SparkApplication ${name}`;
  const events: Partial<Record<ApplicationState, ApplicationEvent>> = {
    SUBMITTED: normal("SparkApplicationSubmitted", `${subject} was submitted successfully`),
    SUBMISSION_FAILED: warning("SparkApplicationSubmissionFailed", `failed to submit ${subject}: ${errorMessage}`),
    COMPLETED: normal("SparkApplicationCompleted", `${subject} completed`),
    FAILED: warning("SparkApplicationFailed", `${subject} failed: ${errorMessage}`),
    PENDING_RERUN: warning("SparkApplicationPendingRerun", `${subject} is pending rerun`),
    SUSPENDING: warning("SparkApplicationSuspending", `${subject} is suspending`),
    SUSPENDED: warning("SparkApplicationSuspended", `${subject} is suspended`),
    RESUMING: warning("SparkApplicationResuming", `${subject} is resuming`),
  };
  const event = events[state];
  return event === undefined ? [] : [event];
}

export function driverEvent(pod: PodRecord): ApplicationEvent {
  const events: Record<DriverState, ApplicationEvent> = {
    PENDING: normal("SparkDriverPending", `Driver ${pod.name} is pending`),
    RUNNING: normal("SparkDriverRunning", `Driver ${pod.name} is running`),
    COMPLETED: normal("SparkDriverCompleted", `Driver ${pod.name} completed`),
    FAILED: warning("SparkDriverFailed", `Driver ${pod.name} failed`),
    UNKNOWN: warning("SparkDriverUnknown", `Driver ${pod.name} in unknown state`),
  };
  return events[driverState(pod)];
}

export function executorEvent({ name, terminated, message }: PodRecord, state: ExecutorState): ApplicationEvent {
  const { exitCode, reason } = terminated ?? { exitCode: -1, reason: "Unknown (Container not Found)" };
  const events: Record<ExecutorState, ApplicationEvent> = {
    PENDING: normal("SparkExecutorPending", `Executor ${name} is pending`),
    RUNNING: normal("SparkExecutorRunning", `Executor ${name} is running`),
    COMPLETED: normal("SparkExecutorCompleted", `Executor ${name} completed`),
    FAILED: warning(
      "SparkExecutorFailed",
      `Executor ${name} failed with ExitCode: ${exitCode}, Reason: ${reason}, Pod Message: ${message}`,
    ),
    UNKNOWN: warning("SparkExecutorUnknown", `Executor ${name} in unknown state`),
  };
  return events[state];
}
