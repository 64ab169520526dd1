import { againAfter, type Controller, done, keyOf, type ReconcileResult, type Term } from "@kindling/controller";
import type { Resources } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import { PROTECTING } from "../../admission/protection.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { isOver } from "../../spark/driver-phase.ts";
import { hasShuffleServer, isKeeper } from "../../spark/keeper.ts";
import { isDriver } from "../../spark/spark-pod.ts";
import { keeperStep } from "./keeper-step.ts";
import { KeeperWrites, type KeeperWritesOptions } from "./keeper-writes.ts";
import { givingWay } from "./giving-way.ts";
import { type QueuedKeeper, tooMany } from "./too-many.ts";
import { lackOnNodes, together, type WantedRoom } from "./wanted-room.ts";

export interface KeepersOptions extends Omit<KeeperWritesOptions, "client"> {
  readonly clock: Clock;
  readonly cluster: ClusterWatch;
  /** The queue in which an application counts. */
  readonly queueOf: (driver: KubeObject) => string;
  /** How many keepers a queue may have. */
  readonly perQueue: number;
  /** How long a keeper keeps the node of an autoscaler, in milliseconds. */
  readonly nodeMs: number;
  /** What applications lack. */
  readonly wanted: WantedRoom;
  /** How long a pod lacks room on all nodes before keepers go for it, in milliseconds. */
  readonly giveWayMs: number;
  readonly requestsOf: (pod: KubeObject) => Resources;
}

/** The key under which all keepers are counted; the keys of pods have a slash. */
const ALL = "all";
/** How often they are counted while there are any. */
const COUNT_AGAIN_MS = 10_000;
/** The time between two counts: thousands of executors may end at once. */
const COUNT_PAUSE_MS = 1_000;
const PROTECTING_NAMES = Object.keys(PROTECTING);

/**
 * Cares for the pods of executors that have ended and stay for their shuffle files: gives back the resources of the executor,
 * and deletes the pod when nobody wants its files any more, when its application has ended, or when its queue has too many of
 * them. All of it is decided from what the cluster shows, so that another gateway goes on where this one stops.
 */
export function keepers({ client }: Term, options: KeepersOptions): Controller {
  const { clock, cluster, perQueue, wanted, giveWayMs, requestsOf } = options;
  const writes = new KeeperWrites({ ...options, client });

  let countedAt = Number.NEGATIVE_INFINITY;

  async function countAll(): Promise<ReconcileResult> {
    const pauseMs = countedAt + COUNT_PAUSE_MS - clock.monotonic();
    if (pauseMs > 0) return againAfter(pauseMs);
    countedAt = clock.monotonic();
    const there = [...cluster.pods()].filter((pod) => isKeeper(pod) && pod.metadata.deletionTimestamp === undefined);
    writes.keepOnly(new Set(there.map(({ metadata }) => metadata.uid)));
    const queued = there.flatMap((pod) => queuedPod(pod));
    const going = new Set(tooMany(queued, perQueue));
    const why = `its queue may have ${perQueue} keepers of shuffle files, and this one is the oldest`;
    for (const pod of going) await writes.delete(pod, why, "too-many");
    await giveWay(queued.filter(({ pod }) => !going.has(pod)));
    return there.length === 0 ? done : againAfter(Math.max(COUNT_PAUSE_MS, Math.min(COUNT_AGAIN_MS, giveWayMs)));
  }

  async function giveWay(queued: readonly QueuedKeeper[]): Promise<void> {
    if (queued.length === 0) return;
    const onNodes = [...cluster.pods()].flatMap((pod) => {
      const lack = lackOnNodes(pod, () => requestsOf(pod), clock.now(), giveWayMs);
      return lack === undefined ? [] : queuedPod(pod).map(({ queue }) => [queue, lack] as const);
    });
    const lacks = together(wanted.due(), onNodes);
    if (lacks.size === 0) return;
    const why = "applications of its queue lack room that it holds, and it is the oldest";
    for (const { pod, queue } of givingWay(
      queued.map((one) => ({ ...one, holds: requestsOf(one.pod) })),
      lacks,
    )) {
      await writes.delete(pod, why, "gave-way");
      wanted.given(queue);
    }
  }

  function queuedPod(pod: KubeObject): QueuedKeeper[] {
    const driver = cluster.driverOf(pod);
    return driver === undefined ? [] : [{ pod, queue: options.queueOf(driver) }];
  }

  return {
    name: "keepers",
    watches: [
      cluster.podKeys((pod) => {
        if (hasShuffleServer(pod)) return isKeeper(pod) ? [keyOf(pod.metadata), ALL] : [keyOf(pod.metadata)];
        return isDriver(pod) && isOver(pod) ? keepersOf(cluster, pod) : [];
      }),
    ],
    workers: 8,
    async reconcile(key) {
      if (key === ALL) return countAll();
      const pod = cluster.podAt(key);
      return pod === undefined ? done : reconcilePod(pod, writes, options);
    },
  };
}

async function reconcilePod(
  pod: KubeObject,
  writes: KeeperWrites,
  { clock, cluster, nodeMs }: KeepersOptions,
): Promise<ReconcileResult> {
  const driver = cluster.driverOf(pod);
  const step = keeperStep(pod, {
    now: clock.now(),
    hasDriver: driver === undefined ? !cluster.isCurrent(pod.metadata.namespace ?? "") : !isOver(driver),
    isUnresizable: writes.isUnresizable(pod),
    nodeMs,
    protecting: PROTECTING_NAMES,
  });
  switch (step.kind) {
    case "none":
      return done;
    case "delete":
      await writes.delete(pod, step.why, "deleted");
      return done;
    case "shrink":
      await writes.giveBack(pod);
      return done;
    case "unprotect":
      await writes.unprotect(pod, PROTECTING_NAMES);
      return done;
    case "wait":
      return againAfter(Math.max(1, step.until - clock.now()));
  }
}

function keepersOf(cluster: ClusterWatch, { metadata }: KubeObject): string[] {
  const owned = cluster.podsOwnedBy(metadata.namespace ?? "", metadata);
  return owned.filter(hasShuffleServer).map((pod) => keyOf(pod.metadata));
}
