import type { PodLife } from "@kindling/recorder-client";
import type { NodeKind } from "./node-kinds.ts";
import { hasEnded, type SparkPod, sparkContainerState } from "./spark-pod.ts";

/** What is known of a node; nothing, if it is gone or may not be read. */
export type KindOfNode = (name: string) => NodeKind | undefined;

/**
 * The life of a pod that has ended, as its last state shows it.
 *
 * @param seen the time at which its end was seen, milliseconds since the epoch: it counts if the pod does not say it
 */
export function podLifeOf(pod: SparkPod, kindOf: KindOfNode, seen: number): PodLife {
  const { role, executor, name, uid, cores, memory, state, queue, labels } = pod;
  const container = sparkContainerState(pod);
  const ended = container?.state === "terminated" ? container : undefined;
  const started = timeOf(state.started);
  const kind = state.node === undefined ? undefined : kindOf(state.node);
  return {
    ...{ role, pod: name, uid, cores, memory, labels },
    ...(executor !== undefined && { executor }),
    ...(started !== undefined && state.node !== undefined && { started }),
    ended: timeOf(ended?.finishedAt) ?? seen,
    ...(ended && { exitCode: ended.exitCode }),
    reason: reasonOf(pod, ended?.reason),
    ...(state.node !== undefined && { node: state.node }),
    ...(kind?.type !== undefined && { nodeType: kind.type }),
    spot: kind?.isSpot ?? false,
    ...(queue !== undefined && { queue }),
  };
}

function reasonOf(pod: SparkPod, container: string | undefined): string {
  const { state } = pod;
  if (state.phase === "Failed" && state.reason !== undefined) return state.reason;
  if (state.disruption?.reason !== undefined) return state.disruption.reason;
  if (container !== undefined) return container;
  if (state.deleting) return "Deleted";
  return hasEnded(pod) ? state.phase : "Unknown";
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : time;
}
