import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_EXECUTOR_ID_LABEL } from "@kindling/core-spec";
import { textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";

/** What the pod of an executor says of itself, as far as plans go by it. */
export interface ExecutorPod {
  /** The number that Spark gave it; 0 if it says none. */
  readonly id: number;
  readonly node: string | undefined;
  readonly isRunning: boolean;
  /** When it began to run, in milliseconds since the epoch. */
  readonly began: number | undefined;
  readonly isBeingDeleted: boolean;
}

/** There are thousands of pods, several plans in a second, and few pods that have changed: those are other objects then. */
const READ = new WeakMap<KubeObject, ExecutorPod>();

/** Reads the pod of an executor, once. The object must not change afterwards, as none of the cluster's or of a view does. */
export function executorPod(pod: KubeObject): ExecutorPod {
  const known = READ.get(pod);
  if (known !== undefined) return known;
  const read = readExecutorPod(pod);
  READ.set(pod, read);
  return read;
}

function readExecutorPod(pod: KubeObject): ExecutorPod {
  const { labels, deletionTimestamp } = pod.metadata;
  const isRunning = textAt(pod, "status", "phase") === "Running";
  return {
    id: Number(labels?.[SPARK_EXECUTOR_ID_LABEL] ?? 0) || 0,
    node: textAt(pod, "spec", "nodeName"),
    isRunning,
    began: isRunning ? timeOf(textAt(pod, "status", "startTime")) : undefined,
    isBeingDeleted: deletionTimestamp !== undefined,
  };
}
