import type { ApplicationState, DriverState, SparkApplicationStatus } from "@kindling/spark-application";
import type { PodRecord } from "../pods/pod-record.ts";
import { driverFault, driverState } from "../pods/pod-states.ts";
import type { ApplicationEvent } from "./application-event.ts";
import { driverEvent } from "./state-events.ts";
import { inState, timeText } from "./status-changes.ts";

/** What a driver pod says about its application (kubeflow/spark-operator v2.5.2, `updateDriverState`). */
export function observeDriver(
  status: SparkApplicationStatus,
  pod: PodRecord,
  nowMs: number,
): { readonly status: SparkApplicationStatus; readonly events: readonly ApplicationEvent[] } {
  const driver = driverState(pod);
  const state = STATES[driver];
  const fault = driver === "FAILED" ? driverFault(pod) : undefined;
  const observed = inState({ ...status, sparkApplicationId: pod.sparkApplicationId }, state, fault);
  return {
    status: driver === "COMPLETED" || driver === "FAILED" ? ended(observed, pod, nowMs) : observed,
    events: state === status.applicationState.state ? [] : [driverEvent(pod)],
  };
}

/** The pod is gone, though the application needs it. */
export function withoutDriver(status: SparkApplicationStatus, nowMs: number): SparkApplicationStatus {
  return { ...inState(status, "FAILING", "driver pod not found"), terminationTime: timeText(nowMs) };
}

const STATES: Record<DriverState, ApplicationState> = {
  PENDING: "SUBMITTED",
  RUNNING: "RUNNING",
  COMPLETED: "SUCCEEDING",
  FAILED: "FAILING",
  UNKNOWN: "UNKNOWN",
};

/** Records when the end was first seen, or the container's own end if that is later. */
function ended(status: SparkApplicationStatus, { terminated }: PodRecord, nowMs: number): SparkApplicationStatus {
  if (status.terminationTime !== undefined && status.terminationTime !== null) return status;
  const finishedMs = Date.parse(terminated?.finishedAt ?? "");
  return { ...status, terminationTime: timeText(Number.isNaN(finishedMs) ? nowMs : Math.max(nowMs, finishedMs)) };
}
