import type { KubeObject } from "@kindling/kube-objects";
import type { Term } from "@kindling/controller";
import type { Clock } from "@kindling/outside";
import type { AuditLog, Log } from "@kindling/service";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { takeAwayExecutor } from "../../cluster/take-away-executor.ts";
import { textAt } from "../../json/fields.ts";
import { isOver } from "../../spark/driver-phase.ts";
import { isMade } from "../../spark/marks.ts";
import {
  applicationIdOf,
  driversOf,
  hasEnded,
  isDriver,
  isExecutor,
  isOfDriver,
  isOfSet,
  owningPods,
} from "../../spark/spark-pod.ts";
import type { Applications } from "../../views/applications/applications.ts";
import { driverEnd } from "../driver-restarts/driver-end.ts";
import { mountedClaims } from "../executors/held-claims.ts";
import { isHeld } from "../executors/steps/own-objects.ts";
import { sweeper, type Sweeper } from "./sweeper.ts";

export interface OrphanedExecutorsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly cluster: ClusterWatch;
  readonly applications: Applications;
  /** How long executors may outlive their driver, or lack their claims. */
  readonly graceMs: number;
  readonly onReaped: () => void;
}

/**
 * Deletes running executors whose driver is gone or has ended. Kubernetes deletes what a deleted pod owned. But a failed
 * driver is kept for people to look at, and its executors may wait for ever.
 *
 * An executor also waits for ever if the gateway was killed before it created the executor's own claims or other objects.
 * Such an executor is deleted, and its driver asks for another. Executors that no gateway has created are left alone.
 */
export function orphanedExecutors({ client }: Term, options: OrphanedExecutorsOptions): Sweeper {
  const { clock, log, auditLog, cluster, graceMs, onReaped } = options;
  return sweeper<KubeObject>({
    name: "orphaned-executors",
    ...{ clock, graceMs },
    uidOf: ({ metadata }) => metadata.uid,
    find() {
      const all = [...cluster.pods()];
      const now = clock.now();
      const lost = lostIn(all, (pod) => isIncomplete(options, pod));
      // A gateway that has just started has not seen when drivers ended.
      const ends = new Map(all.filter(isDriver).map((driver) => [driver.metadata.uid, driverEnd(driver, now)?.at]));
      return lost
        .filter(({ metadata }) => cluster.isCurrent(metadata.namespace ?? ""))
        .map((found) => ({
          found,
          agoMs: Math.max(0, ...driversOf(found).map((uid) => now - (ends.get(uid) ?? now))),
        }));
    },
    async reap(executor) {
      const { name, namespace } = executor.metadata;
      try {
        await takeAwayExecutor(client, executor);
        onReaped();
        log.info("an executor without its driver or its objects was deleted", { name, namespace });
        const object = { namespace, application: applicationIdOf(executor), resource: "pods", name };
        auditLog.write({ verb: "delete", decision: "allow", reason: "it has no driver, or lacks its objects", object });
      } catch (error) {
        // It is tried again.
        const fault = { name, namespace, error: String(error) };
        log.warn("an executor without its driver or its objects cannot be deleted", fault);
      }
    },
  });
}

/**
 * Whether an executor waits for claims or other objects that nobody is creating, because the gateway that should create them
 * has ended.
 */
function isIncomplete({ cluster, applications }: OrphanedExecutorsOptions, pod: KubeObject): boolean {
  const { namespace = "" } = pod.metadata;
  const isForgotten = isHeld(pod) && !applications.isCompleting(pod);
  const hasClaim = (claim: string): boolean =>
    cluster.claim(namespace, claim) !== undefined ||
    owningPods(pod).some(({ uid }) => applications.get(uid)?.claims.get(claim) !== undefined);
  return isForgotten || ownClaims(pod).some((claim) => !hasClaim(claim));
}

/** Executors created by a gateway that have no driver, or that nobody completes any more. */
function lostIn(pods: readonly KubeObject[], isIncomplete: (executor: KubeObject) => boolean): KubeObject[] {
  const living = pods.filter((pod) => isDriver(pod) && !isOver(pod));
  const drivers = new Map(living.map(({ metadata }) => [metadata.uid, metadata]));
  const hasDriver = (pod: KubeObject): boolean =>
    driversOf(pod).some((uid) => {
      const driver = drivers.get(uid);
      return driver !== undefined && driver.namespace === pod.metadata.namespace && isOfDriver(pod, driver);
    });
  return pods.filter((pod) => {
    if (!isMade(pod) || !isExecutor(pod) || hasEnded(pod) || pod.metadata.deletionTimestamp !== undefined) return false;
    return !hasDriver(pod) || isIncomplete(pod);
  });
}

/** The claims that Spark creates for this executor alone, by their names (MountVolumesFeatureStep), while it has no node. */
function ownClaims(pod: KubeObject): string[] {
  // Claims of a set's pods are created by the set's controller.
  if (isOfSet(pod) || textAt(pod, "spec", "nodeName") !== undefined) return [];
  return mountedClaims(pod).filter((claim) => claim.startsWith(`${pod.metadata.name}-pvc-`));
}
