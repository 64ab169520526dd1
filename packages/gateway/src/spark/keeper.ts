import { isObject, type KubeObject } from "@kindling/kube-objects";
import { KEEPER_KEPT, KEEPER_LABEL, KEEPER_LEAVING, SHUFFLE_CONTAINER } from "@kindling/core-spec";
import { objectAt } from "../json/fields.ts";
import { containerState } from "./container-state.ts";
import { executorContainer } from "./executor-container.ts";

/**
 * Whether an executor's pod has a container that serves the executor's shuffle files. It is the first one, because it has to
 * start first.
 */
export function hasShuffleServer(pod: KubeObject): boolean {
  // Plans ask this of thousands of pods, so only the first container is looked at.
  const { containers } = objectAt(pod, "spec");
  const first = Array.isArray(containers) ? containers[0] : undefined;
  return isObject(first) && first["name"] === SHUFFLE_CONTAINER;
}

/** Whether the pod of an executor that is gone for its driver stays for its shuffle files. */
export function isKeeper({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[KEEPER_LABEL] === KEEPER_KEPT;
}

/** Whether an executor was asked to end so that its pod becomes a keeper. */
export function isBecomingKeeper({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[KEEPER_LABEL] === KEEPER_LEAVING;
}

/** Whether Spark's container has ended, though the shuffle server beside it may go on. The restart policy of executors is `Never`. */
export function hasSparkEnded(pod: KubeObject): boolean {
  return hasShuffleServer(pod) && "terminated" in containerState(pod, executorContainer(pod));
}

/**
 * An executor as its driver has to see it. A pod is in the phase `Running` as long as its shuffle server runs. Spark looks at the
 * container inside, but finds it only if a pod template that calls it otherwise is named together with that name
 * (`spark.kubernetes.executor.podTemplateContainerName`; ExecutorPodsSnapshot.scala). The phase is what every Spark understands.
 */
export function executorAsSeen(pod: KubeObject): KubeObject {
  if (!hasSparkEnded(pod)) return pod;
  const { exitCode } = objectAt(containerState(pod, executorContainer(pod)), "terminated");
  return { ...pod, status: { ...objectAt(pod, "status"), phase: exitCode === 0 ? "Succeeded" : "Failed" } };
}

/** Whether Spark's container has begun to run, so that it may have written files. */
export function hasSparkBegun(pod: KubeObject): boolean {
  const state = containerState(pod, executorContainer(pod));
  return "running" in state || "terminated" in state;
}

/** Whether the shuffle server of a pod runs. */
export function isServing(pod: KubeObject): boolean {
  return hasShuffleServer(pod) && "running" in containerState(pod, SHUFFLE_CONTAINER);
}
