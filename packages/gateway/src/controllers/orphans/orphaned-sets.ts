import type { KubeObject } from "@kindling/kube-objects";
import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { AuditLog, Log } from "@kindling/service";
import { sweeper, type Sweeper } from "./sweeper.ts";
import { isOver } from "../../spark/driver-phase.ts";
import { isDriver } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import type { KnownSet, SetWatch } from "../../cluster/set-watch.ts";
import { takeAway } from "../../cluster/take-away.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { WANTED_REPLICAS } from "../../spark/marks.ts";

export interface OrphanedSetsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly cluster: Pick<ClusterWatch, "isCurrent" | "pod">;
  readonly sets: Pick<SetWatch, "all">;
  /** How long a set may outlive its driver. */
  readonly graceMs: number;
}

/**
 * Deletes sets whose driver has ended. Kubernetes deletes what a deleted pod owned. But a failed driver is kept for people to
 * look at. A set without admitted executors has no pod by which it could be found.
 */
export function orphanedSets({ client, clock, log, auditLog, cluster, sets, graceMs }: OrphanedSetsOptions): Sweeper {
  return sweeper<KnownSet>({
    name: "orphaned-sets",
    ...{ clock, graceMs },
    find: () => [...sets.all()].filter(({ object }) => isOrphan(object, cluster)).map((found) => ({ found, agoMs: 0 })),
    uidOf: ({ object }) => object.metadata.uid,
    async reap({ kind, object }) {
      const { name, namespace } = object.metadata;
      try {
        await takeAway(client, UPSTREAM[kind], object);
        log.info("a set of executors without its driver was deleted", { kind, name, namespace });
        const { plural: resource } = UPSTREAM[kind];
        auditLog.write({
          verb: "delete",
          decision: "allow",
          reason: "it has no driver",
          object: { namespace, resource, name },
        });
      } catch (error) {
        // It is tried again.
        const fault = { kind, name, namespace, error: String(error) };
        log.warn("a set of executors without its driver cannot be deleted", fault);
      }
    },
  });
}

function isOrphan({ metadata }: KubeObject, cluster: OrphanedSetsOptions["cluster"]): boolean {
  const { namespace = "", annotations, deletionTimestamp, ownerReferences = [] } = metadata;
  const isOurs = annotations?.[WANTED_REPLICAS] !== undefined && deletionTimestamp === undefined;
  if (!isOurs || !cluster.isCurrent(namespace)) return false;
  return !ownerReferences.some(({ apiVersion, kind, name, uid }) => {
    const pod = cluster.pod(namespace, name);
    const isIt = apiVersion === "v1" && kind === "Pod" && pod?.metadata.uid === uid;
    return isIt && isDriver(pod) && !isOver(pod);
  });
}
