import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_EXECUTOR_ID_LABEL } from "@kindling/core-spec";
import { textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { isBecomingKeeper } from "../../spark/keeper.ts";

/** The facts about an executor's pod that plans use. */
export interface ExecutorPod {
  /** The number that Spark gave it; 0 if it says none. */
  readonly id: number;
  readonly node: string | undefined;
  readonly isRunning: boolean;
  /** When the executor began to run, in milliseconds since the epoch. */
  readonly began: number | undefined;
  /** When the pod was created, in milliseconds since the epoch. */
  readonly created: number | undefined;
  /** Whether its pod is being deleted, or it was asked to end. */
  readonly isBeingDeleted: boolean;
}

/**
 * There are thousands of pods and several plans per second, but few pods change in between. A pod that has changed is a new
 * object.
 */
const READ = new WeakMap<KubeObject, ExecutorPod>();

/**
 * Reads the pod of an executor, once. The object must not change afterwards. (Objects of the cluster and of views never do.)
 */
export function executorPod(pod: KubeObject): ExecutorPod {
  const known = READ.get(pod);
  if (known !== undefined) return known;
  const read = readExecutorPod(pod);
  READ.set(pod, read);
  return read;
}

function readExecutorPod(pod: KubeObject): ExecutorPod {
  const { labels, deletionTimestamp, creationTimestamp } = pod.metadata;
  const isRunning = textAt(pod, "status", "phase") === "Running";
  return {
    id: Number(labels?.[SPARK_EXECUTOR_ID_LABEL] ?? 0) || 0,
    node: textAt(pod, "spec", "nodeName"),
    isRunning,
    began: isRunning ? timeOf(textAt(pod, "status", "startTime")) : undefined,
    created: timeOf(creationTimestamp),
    isBeingDeleted: deletionTimestamp !== undefined || isBecomingKeeper(pod),
  };
}
