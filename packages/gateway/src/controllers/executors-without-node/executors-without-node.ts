import { againAfter, type Controller, done, type EventRecorder, type Term } from "@kindling/controller";
import type { PodShape } from "@kindling/admission";
import { isConflict, isNotFound } from "@kindling/kube";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { objectsAt, textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { isMade } from "../../spark/marks.ts";
import { driversOf, isExecutor, isOfSet, podSubject } from "../../spark/spark-pod.ts";

export interface ExecutorsWithoutNodeOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: EventRecorder;
  readonly cluster: ClusterWatch;
  /** How long an executor may wait for a node. */
  readonly timeoutMs: number;
  readonly shapeOf: (pod: KubeObject) => PodShape;
  /** Whether a node may come for the pod: it has been ordered, or may still be. */
  readonly mayNodeCome: (pod: PodShape) => boolean;
  /** No node came for an executor of this shape, which was given up. */
  readonly onGivenUp: (pod: PodShape) => void;
}

/** If no node may come, the executor is given up after this time: what autoscalers tell may be seconds old. */
const NO_HOPE_MS = 60_000;
/** How often it is checked whether a node may still come. */
const AGAIN_MS = 15_000;

/**
 * Gives up executors for which no node comes: their pods are deleted, their drivers ask for others, and these wait in their
 * queue like all others. Otherwise such a pod would keep its application's share for ever, and an autoscaler would go on to
 * look for a node for it. (Spark 3.5 and 4: the deletion of a pod that never ran is no failure of an executor.) Executors of
 * sets are left alone, because their set would make the same pod again.
 */
export function executorsWithoutNode({ client }: Term, options: ExecutorsWithoutNodeOptions): Controller {
  const { clock, log, events, cluster, timeoutMs, shapeOf, mayNodeCome, onGivenUp } = options;

  async function giveUp(pod: KubeObject, waitedMs: number): Promise<void> {
    const { name, namespace, uid, resourceVersion } = pod.metadata;
    try {
      // A pod that has got a node meanwhile has another resource version, and stays.
      await client.delete(UPSTREAM.pods, name, { namespace, preconditions: { uid, resourceVersion } });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      throw error;
    }
    onGivenUp(shapeOf(pod));
    const message = `executor pod ${name} had no node after ${Math.round(waitedMs / 1000)} s and was deleted; its driver asks for another, which waits in its queue`;
    log.info("an executor without a node was given up", { namespace, name });
    for (const driver of driversOf(pod).flatMap((owner) => driverOf(cluster, pod, owner) ?? []))
      events.tell(podSubject(driver), { type: "Warning", reason: "NoNodeForExecutor", name: "no-node", message });
  }

  return {
    name: "executors-without-node",
    watches: [cluster.podKeys((pod) => (waitsForNode(pod) ? [`${pod.metadata.namespace}/${pod.metadata.name}`] : []))],
    workers: 4,
    async reconcile(key) {
      const [namespace = "", name = ""] = key.split("/");
      const pod = cluster.pod(namespace, name);
      const created = timeOf(pod?.metadata.creationTimestamp);
      if (pod === undefined || created === undefined || !waitsForNode(pod)) return done;
      const waitedMs = clock.now() - created;
      const limitMs = mayNodeCome(shapeOf(pod)) ? timeoutMs : Math.min(timeoutMs, NO_HOPE_MS);
      if (waitedMs < limitMs) return againAfter(Math.min(limitMs - waitedMs, AGAIN_MS));
      await giveUp(pod, waitedMs);
      return done;
    },
  };
}

/** Whether an executor that the gateway has made waits for a node, and the scheduler has found none for it. */
function waitsForNode(pod: KubeObject): boolean {
  return (
    isExecutor(pod) &&
    isMade(pod) &&
    !isOfSet(pod) &&
    pod.metadata.deletionTimestamp === undefined &&
    textAt(pod, "status", "phase") === "Pending" &&
    textAt(pod, "spec", "nodeName") === undefined &&
    objectsAt(pod, "status", "conditions").some(
      ({ type, status, reason }) => type === "PodScheduled" && status === "False" && reason === "Unschedulable",
    )
  );
}

function driverOf(cluster: ClusterWatch, pod: KubeObject, uid: string): KubeObject | undefined {
  return cluster
    .drivers()
    .find(({ metadata }) => metadata.uid === uid && metadata.namespace === pod.metadata.namespace);
}
