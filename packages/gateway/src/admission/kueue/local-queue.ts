import type { KubeObject } from "@kindling/kube-objects";
import { SCHEDULER_KUEUE_QUEUE_LABEL } from "@kindling/core-spec";
import type { KueueUse } from "../../config/kueue-use.ts";
import { isGatewayDriver } from "../../spark/spark-pod.ts";

/** Kueue's own label for the LocalQueue of a job. */
const QUEUE_NAME = "kueue.x-k8s.io/queue-name";
/** "true" on pods that Kueue's own integration of pods manages. */
const MANAGED = "kueue.x-k8s.io/managed";
/** The LocalQueue of jobs that name none (Kueue, KEP-2936). */
const DEFAULT_QUEUE = "default";

/** The LocalQueue in which an application of the gateway waits; `undefined` if it waits in the gateway's own queues. */
export function localQueueOf(driver: KubeObject, use: KueueUse): string | undefined {
  if (use === "none" || !isGatewayDriver(driver)) return undefined;
  const { labels = {} } = driver.metadata;
  return labels[SCHEDULER_KUEUE_QUEUE_LABEL] ?? labels[QUEUE_NAME] ?? (use === "all" ? DEFAULT_QUEUE : undefined);
}

/** The name of a LocalQueue among the gateway's queues. */
export function queueOfLocalQueue(localQueue: string): string {
  return `kueue:${localQueue}`;
}

/** Whether Kueue's own integration manages a pod: then Kueue counts the pod itself. */
export function isManagedByKueue({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[MANAGED] === "true";
}

/** Labels of Kueue. Its integration of pods would hold back a pod with them, and count it a second time. */
export function isLabelOfKueue(name: string): boolean {
  return name.startsWith("kueue.x-k8s.io/");
}
