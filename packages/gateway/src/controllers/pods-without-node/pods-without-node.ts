import { againAfter, type Controller, done, type EventRecorder, keyOf, type Term } from "@kindling/controller";
import type { PodShape } from "@kindling/admission";
import { isConflict, isNotFound } from "@kindling/kube";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { AuditLog, Log } from "@kindling/service";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { unschedulable } from "../../json/conditions.ts";
import { textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { ADMITTED_AT, isMade } from "../../spark/marks.ts";
import { applicationIdOf, isDriver, isExecutor, isOfSet, podSubject } from "../../spark/spark-pod.ts";

export interface PodsWithoutNodeOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly events: EventRecorder;
  readonly cluster: ClusterWatch;
  /** How long a pod may wait for a node. */
  readonly timeoutMs: number;
  readonly shapeOf: (pod: KubeObject) => PodShape;
  /** Whether a node may come for the pod: it has been ordered, or may still be. */
  readonly mayNodeCome: (pod: PodShape) => boolean;
  /** No node came for a pod of this shape. */
  readonly onNoNode: (pod: PodShape) => void;
  /** An executor was given up. */
  readonly onGivenUp: () => void;
}

/** If no node may come, this is long enough: what autoscalers tell may be seconds old. */
const NO_HOPE_MS = 60_000;
/** How often it is checked whether a node may still come. */
const AGAIN_MS = 15_000;

/**
 * Gives up executors for which no node comes: their pods are deleted, their drivers ask for others, and these wait in their
 * queue like all others. Otherwise such a pod would keep its application's share for ever, and an autoscaler would go on to
 * look for a node for it. (Spark 3.5 and 4: the deletion of a pod that never ran is no failure of an executor.) Executors of
 * sets are left alone, because their set would make the same pod again. A driver stays, because its gate cannot be closed
 * again; but no node is expected for others like it.
 */
export function podsWithoutNode({ client }: Term, options: PodsWithoutNodeOptions): Controller {
  const { clock, log, auditLog, events, cluster, timeoutMs, shapeOf, mayNodeCome, onNoNode, onGivenUp } = options;

  async function giveUp(pod: KubeObject, waitedMs: number): Promise<void> {
    const { name, namespace, uid, resourceVersion } = pod.metadata;
    try {
      // A pod that has got a node meanwhile has another resource version, and stays.
      await client.delete(UPSTREAM.pods, name, { namespace, preconditions: { uid, resourceVersion } });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      throw error;
    }
    onNoNode(shapeOf(pod));
    onGivenUp();
    const message = `executor pod ${name} had no node after ${Math.round(waitedMs / 1000)} s and was deleted; its driver asks for another, which waits in its queue`;
    log.info("an executor without a node was given up", { namespace, name });
    const object = { namespace, application: applicationIdOf(pod), resource: "pods", name, uid };
    auditLog.write({ verb: "delete", decision: "allow", reason: "no node came for it", object });
    const driver = cluster.driverOf(pod);
    if (driver !== undefined)
      events.tell(podSubject(driver), { type: "Warning", reason: "NoNodeForExecutor", name: "no-node", message });
  }

  function tellOfDriver(driver: KubeObject, waitedMs: number): void {
    onNoNode(shapeOf(driver));
    const message = `no node has come for the driver in ${Math.round(waitedMs / 1000)} s; it goes on waiting, and for a time other drivers like it stay behind their gates`;
    events.tell(podSubject(driver), { type: "Warning", reason: "NoNodeForDriver", name: "no-node", message });
  }

  return {
    name: "pods-without-node",
    watches: [cluster.podKeys((pod) => (waitsForNode(pod) ? [keyOf(pod.metadata)] : []))],
    workers: 4,
    async reconcile(key) {
      const pod = cluster.podAt(key);
      if (pod === undefined || !waitsForNode(pod)) return done;
      const waitedMs = clock.now() - (beganToWait(pod) ?? clock.now());
      const limitMs = mayNodeCome(shapeOf(pod)) ? timeoutMs : Math.min(timeoutMs, NO_HOPE_MS);
      if (waitedMs < limitMs) return againAfter(Math.min(limitMs - waitedMs, AGAIN_MS));
      if (isExecutor(pod)) await giveUp(pod, waitedMs);
      else tellOfDriver(pod, waitedMs);
      return isExecutor(pod) ? done : againAfter(timeoutMs);
    },
  };
}

/** Since when a pod may have a node: an executor since its creation, a driver since the gateway opened its gate. */
function beganToWait({ metadata: { creationTimestamp, annotations } }: KubeObject): number | undefined {
  return timeOf(annotations?.[ADMITTED_AT] ?? creationTimestamp);
}

/** Whether the gateway let the pod go to a node, and the scheduler has found none for it. */
function waitsForNode(pod: KubeObject): boolean {
  const isExecutorOfOurs = isExecutor(pod) && isMade(pod) && !isOfSet(pod);
  return (
    (isExecutorOfOurs || (isDriver(pod) && pod.metadata.annotations?.[ADMITTED_AT] !== undefined)) &&
    pod.metadata.deletionTimestamp === undefined &&
    textAt(pod, "status", "phase") === "Pending" &&
    textAt(pod, "spec", "nodeName") === undefined &&
    unschedulable(pod) !== undefined
  );
}
