import type { ExecutorState, SparkApplicationStatus } from "@kindling/spark-application";
import type { PodRecord } from "../pods/pod-record.ts";
import { executorState } from "../pods/pod-states.ts";
import type { ApplicationEvent } from "./application-event.ts";
import { executorEvent } from "./state-events.ts";

export interface ExecutorsSeen {
  /** Pods of the present submission. */
  readonly pods: readonly PodRecord[];
  /** Executors that a gateway has promised to a driver and not made yet, by the names of their pods. */
  readonly promised: readonly string[];
  /** Executors of higher ids are not shown. */
  readonly mostTracked: number;
}

/**
 * Brings the executors of a status up to date (kubeflow/spark-operator v2.5.2, `updateExecutorState`). An executor that
 * has ended stays. An executor that is gone without an end is UNKNOWN while the driver runs, and has the application's
 * result afterwards.
 */
export function observeExecutors(
  status: SparkApplicationStatus,
  { pods, promised, mostTracked }: ExecutorsSeen,
): { readonly status: SparkApplicationStatus; readonly events: readonly ApplicationEvent[] } {
  const before = status.executorState ?? {};
  const tracked = pods.filter(({ executorId }) => (executorId ?? 0) <= mostTracked);
  const seen: Record<string, ExecutorState> = Object.fromEntries([
    ...promised.map((name): [string, ExecutorState] => [name, "PENDING"]),
    ...tracked.map((pod): [string, ExecutorState] => [pod.name, executorState(pod)]),
  ]);
  const gone = Object.entries(before).map(([name, state]): [string, ExecutorState] => [
    name,
    state === "COMPLETED" || state === "FAILED" ? state : withoutPod(status),
  ]);
  const states = { ...Object.fromEntries(gone), ...seen };
  const sparkApplicationId = tracked.find((pod) => pod.sparkApplicationId !== "")?.sparkApplicationId;
  return {
    status: {
      ...status,
      ...(sparkApplicationId === undefined ? {} : { sparkApplicationId }),
      ...(Object.keys(states).length === 0 ? {} : { executorState: states }),
    },
    events: tracked
      .filter((pod) => before[pod.name] !== executorState(pod))
      .map((pod) => executorEvent(pod, executorState(pod))),
  };
}

function withoutPod({ applicationState: { state } }: SparkApplicationStatus): ExecutorState {
  if (state === "RUNNING") return "UNKNOWN";
  return state === "COMPLETED" || state === "SUCCEEDING" ? "COMPLETED" : "FAILED";
}
