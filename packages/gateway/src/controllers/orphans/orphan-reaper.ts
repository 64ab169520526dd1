import type { KubeObject } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";
import { mountedClaims } from "../executors/held-claims.ts";
import { textAt } from "../../json/fields.ts";
import { driversOf, hasEnded, isDriver, isExecutor, isOfDriver, isOfSet } from "../../spark/spark-pod.ts";
import { isMade } from "../../spark/marks.ts";
import { isOver } from "../../spark/driver-phase.ts";
import { sweeper, type Sweeper } from "./sweeper.ts";

export interface OrphanReaperOptions {
  readonly clock: Clock;
  /** How long executors may outlive their driver, or lack their claims. */
  readonly graceMs: number;
  /** All pods of Spark's that are known. */
  readonly pods: () => Iterable<KubeObject>;
  /** Whether a claim is there, or is yet to be made. */
  readonly hasClaim: (executor: KubeObject, claim: string) => boolean;
  /** Whether an executor waits for objects that nobody is making: the gateway that was to make them has ended. */
  readonly isForgotten: (executor: KubeObject) => boolean;
  /** When a driver has ended, in milliseconds since the epoch: a gateway that has just started has not seen it. */
  readonly endOf: (driver: KubeObject) => number | undefined;
  /** Whether what is not known of a namespace is not there. */
  readonly isCurrent: (namespace: string) => boolean;
  readonly reap: (executor: KubeObject) => Promise<void>;
}

/**
 * Deletes executors whose driver is gone or has ended, and that have not ended themselves. Kubernetes deletes what a
 * deleted pod owned; but a driver that failed is kept for people to look at, and its executors may wait for ever.
 *
 * An executor whose own claims or other objects were to be made after it, by a gateway that was killed before, waits for
 * ever as well: it is deleted, and its driver asks for another. Those that no gateway has made are left alone.
 */
export function orphanReaper(options: OrphanReaperOptions): Sweeper {
  const { clock, graceMs, pods, hasClaim, isForgotten, endOf, isCurrent, reap } = options;
  return sweeper<KubeObject>({
    name: "orphaned-executors",
    ...{ clock, graceMs, reap },
    uidOf: ({ metadata }) => metadata.uid,
    find() {
      const all = [...pods()];
      const isIncomplete = (pod: KubeObject): boolean =>
        isForgotten(pod) || ownClaims(pod).some((claim) => !hasClaim(pod, claim));
      const lost = lostIn(all, isIncomplete).filter(({ metadata }) => isCurrent(metadata.namespace ?? ""));
      const ends = new Map(all.filter(isDriver).map((driver) => [driver.metadata.uid, endOf(driver)] as const));
      return lost.map((found) => ({
        found,
        agoMs: Math.max(0, ...driversOf(found).map((uid) => clock.now() - (ends.get(uid) ?? clock.now()))),
      }));
    },
  });
}

/** Executors of a gateway's making that are without a driver, or that nobody completes any more. */
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

/** The claims that Spark makes for this very executor, by their names (MountVolumesFeatureStep), while it has no node. */
function ownClaims(pod: KubeObject): string[] {
  // Those of a set are made by the set's controller.
  if (isOfSet(pod) || textAt(pod, "spec", "nodeName") !== undefined) return [];
  return mountedClaims(pod).filter((claim) => claim.startsWith(`${pod.metadata.name}-pvc-`));
}
