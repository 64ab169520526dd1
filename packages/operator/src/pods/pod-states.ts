import type { DriverState, ExecutorState } from "@kindling/spark-application";
import type { PodRecord } from "./pod-record.ts";

/**
 * The state of a driver, from its pod. The end of Spark's container is the end of the driver, though sidecars may go on
 * (kubeflow/spark-operator v2.5.2, pkg/util/sparkapplication.go, `GetDriverState`).
 */
export function driverState({ phase, terminated }: PodRecord): DriverState {
  if (phase === "Pending") return "PENDING";
  if (phase === "Succeeded") return "COMPLETED";
  if (phase === "Running" && terminated === undefined) return "RUNNING";
  if (phase === "Running" || phase === "Failed") return terminated?.exitCode === 0 ? "COMPLETED" : "FAILED";
  return "UNKNOWN";
}

/** The same for an executor (`GetExecutorState`). */
export function executorState({ phase }: PodRecord): ExecutorState {
  const states: Record<string, ExecutorState> = {
    Pending: "PENDING",
    Running: "RUNNING",
    Succeeded: "COMPLETED",
    Failed: "FAILED",
  };
  return states[phase] ?? "UNKNOWN";
}

/**
 * Why a driver failed, in stock's words, followed by the pod's own reason and message.
 *
 * @returns undefined for a container that ended well
 */
export function driverFault({ terminated, reason, message }: PodRecord): string | undefined {
  const ofPod = [reason, message].filter((text) => text !== "").join(": ");
  const behind = ofPod === "" ? "" : `, Pod: ${ofPod}`;
  if (terminated === undefined) return `driver container status missing${behind}`;
  if (terminated.exitCode === 0) return undefined;
  return `driver container failed with ExitCode: ${terminated.exitCode}, Reason: ${terminated.reason}${behind}`;
}
