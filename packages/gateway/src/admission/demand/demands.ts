import type { KubeObject } from "@kindling/kube-objects";
import { SCHEDULER_ADMISSION_GATE } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { type ApplicationDemand, type Leave, type PolicySnapshot, priorityIn, queueRefusal } from "@kindling/admission";
import type { Applications } from "../../views/applications/applications.ts";
import type { ApplicationNames } from "../../console/overview/overview-of.ts";
import type { KueueUse } from "../../config/kueue-use.ts";
import type { Queues } from "../../config/queues/queues-file.ts";
import { gatesOf, isExecutor, isLeftBehind } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { type Announcement, announcementOf } from "./announcement.ts";
import { namesOf } from "./application-names.ts";
import { applicationDemand, highestId } from "./application-demand.ts";
import { withCapacityType } from "../spot/capacity-type.ts";
import { CapacityTypes } from "../spot/capacity-types.ts";
import type { SpotWish } from "../spot/spot-wish.ts";
import { spotRuleOf } from "../spot/spot-rule.ts";
import { kueueDemand } from "../kueue/kueue-demand.ts";
import type { KueueFacts } from "../kueue/kueue-application.ts";
import { localQueueOf } from "../kueue/local-queue.ts";
import { executorsOf } from "./executors-of.ts";
import type { Namespaces } from "./namespaces.ts";
import type { MayLeave } from "./may-leave.ts";
import type { NodeEnds } from "./node-ends.ts";
import { faultsOfQueues } from "./faults-of-queues.ts";
import { Resizes } from "./resizes.ts";
import type { ClusterRoom } from "./cluster-room.ts";
import type { Promises } from "./promises.ts";
import { type Usage, usageOf } from "./usage.ts";
import { isOver } from "../../spark/driver-phase.ts";

export interface DemandsOptions {
  readonly clock: Clock;
  readonly cluster: ClusterWatch;
  readonly applications: Applications;
  readonly clusterRoom: ClusterRoom;
  readonly nodeEnds: NodeEnds;
  readonly queues: Queues;
  readonly namespaces: Namespaces;
  readonly mayLeave: MayLeave;
  readonly promises: Promises;
  readonly mostExecutors: number;
  /** Which applications wait in LocalQueues of Kueue, and not here. */
  readonly kueue: KueueUse;
}

/** What the policy is given, and the names to show to people. */
export interface Situation {
  readonly snapshot: PolicySnapshot;
  /** Applications that Kueue decides on. */
  readonly elsewhere: readonly ApplicationDemand[];
  readonly names: ReadonlyMap<string, ApplicationNames>;
  /** What is wrong with the queues, in sentences for people. */
  readonly queueFaults: readonly string[];
}

/**
 * Who wants what: worked out from the drivers and executors in the cluster and in the views of drivers. Only the latest
 * decisions are not visible there yet; they are remembered until they are.
 */
export class Demands {
  readonly #options: DemandsOptions;
  /** Executors that are being resized. */
  readonly resizes: Resizes;
  /** The kinds of nodes for executors that wait. */
  readonly capacityTypes: CapacityTypes;
  /** Drivers whose gates have been opened, by uid. */
  #started: ReadonlySet<string> = new Set();
  /** Pods that have been asked to leave, by uid. */
  #leaving: ReadonlySet<string> = new Set();
  /** Applications that have had all of their minimum executors, by the uid of the driver. */
  #complete: ReadonlySet<string> = new Set();
  /**
   * Applications that took too long to ask for their minimum executors: no room is kept for these. By the uid of the driver.
   */
  readonly #lapsed = new Set<string>();
  #drivers: ReadonlyMap<string, KubeObject> = new Map();

  constructor(options: DemandsOptions) {
    this.#options = options;
    this.resizes = new Resizes(options.clusterRoom.shapes);
    this.capacityTypes = new CapacityTypes(options);
  }

  /** The gate of a driver is being opened: from now on it counts as started. Undone by `false`. */
  noteStart(uid: string, isStarted = true): void {
    this.#started = changed(this.#started, uid, isStarted);
  }

  /** An executor is being asked to leave. Undone by `false`. */
  noteLeaving(uid: string, isLeaving = true): void {
    this.#leaving = changed(this.#leaving, uid, isLeaving);
  }

  /** Stops the timers. */
  stop(): void {
    this.#options.promises.stop();
  }

  /** Whether it is still being found out how some executors can leave. This takes a moment. */
  get isLearning(): boolean {
    return this.#options.mayLeave.isReading;
  }

  /** What an application wishes of spot nodes; `undefined` if nothing. */
  spotWishOf(driver: KubeObject): SpotWish | undefined {
    const { queues, mostExecutors, applications } = this.#options;
    const { queue, minimumExecutors: minimum } = announcementOf(driver, mostExecutors);
    const rule = spotRuleOf(driver, queues.root, queues.queueOf(queue));
    const waiting = applications.get(driver.metadata.uid)?.waitingExecutors ?? 0;
    return rule && { rule, minimum, waiting };
  }

  /** A driver as it has to be when its gate is opened: with the condition for its kind of node. */
  forItsNode(driver: KubeObject): KubeObject {
    return this.spotWishOf(driver)?.rule.onDemand.includes("driver") === true
      ? withCapacityType(driver, "on-demand")
      : driver;
  }

  /** How an executor can be taken away; `never` if its application is not known. */
  leaveOf(executor: KubeObject): Leave {
    const { cluster, applications, mayLeave } = this.#options;
    const { namespace = "" } = executor.metadata;
    const driver = cluster.driverOf(executor);
    if (driver === undefined) return "never";
    const owned = cluster.podsOwnedBy(namespace, driver.metadata);
    return mayLeave.of(driver, executorsOf(owned, applications.get(driver.metadata.uid)).executors)(executor);
  }

  /** The driver of an application, as it was in the last situation. */
  driver(uid: string): KubeObject | undefined {
    return this.#drivers.get(uid);
  }

  /** Whether a driver waits behind its gate. */
  hasGated(): boolean {
    return this.#options.cluster
      .driversBehind(SCHEDULER_ADMISSION_GATE)
      .some((driver) => this.#isGated(driver) && this.localQueueOf(driver) === undefined);
  }

  /** The LocalQueue of Kueue in which an application waits; `undefined` if it waits here. */
  localQueueOf(driver: KubeObject): string | undefined {
    return localQueueOf(driver, this.#options.kueue);
  }

  /** What Kueue has to be asked for. */
  kueueFacts(driver: KubeObject): Omit<KueueFacts, "workloads"> {
    const { cluster, applications, mostExecutors } = this.#options;
    const { uid, namespace = "" } = driver.metadata;
    return {
      driver,
      announcement: announcementOf(driver, mostExecutors),
      requested: executorsOf(cluster.podsOwnedBy(namespace, driver.metadata), applications.get(uid)),
      isLeaving: (pod) => this.#leaving.has(pod.metadata.uid),
    };
  }

  /** The driver of an application, if it waits behind its gate. */
  gatedDriver(uid: string): KubeObject | undefined {
    const driver = this.#drivers.get(uid);
    return driver !== undefined && this.#isGated(driver) ? driver : undefined;
  }

  #isGated(driver: KubeObject): boolean {
    return (
      gatesOf(driver).includes(SCHEDULER_ADMISSION_GATE) && !isOver(driver) && !this.#started.has(driver.metadata.uid)
    );
  }

  /** The drivers that count, gated ones among them. */
  #allDrivers(): KubeObject[] {
    const { cluster, applications } = this.#options;
    const counts = (pod: KubeObject): boolean =>
      !isOver(pod) &&
      (applications.get(pod.metadata.uid) !== undefined ||
        announcementOf(pod, 0).isGateways ||
        gatesOf(pod).includes(SCHEDULER_ADMISSION_GATE));
    return cluster.drivers().filter(counts);
  }

  situation(): Situation {
    const { clock, clusterRoom, queues, namespaces, nodeEnds } = this.#options;
    const now = clock.now();
    const all = this.#allDrivers();
    this.#drivers = new Map(all.map((driver) => [driver.metadata.uid, driver]));
    const drivers = all.filter((driver) => this.localQueueOf(driver) === undefined);
    const counted = new Set<KubeObject>(drivers);
    const applications = drivers.map((driver) => this.#demandOf(driver, counted));
    const elsewhere = all.flatMap((driver) => this.#demandElsewhere(driver));
    this.#forget([...applications, ...elsewhere]);
    return {
      snapshot: {
        now,
        capacity: clusterRoom.capacity(() => this.#usedByOtherPods(counted), nodeEnds.backoffs()),
        queues: queues.root,
        quotas: clusterRoom.quotas(),
        applications,
      },
      elsewhere,
      queueFaults: faultsOfQueues(queues, namespaces),
      names: new Map(all.map((driver) => [driver.metadata.uid, namesOf(driver)])),
    };
  }

  /** @param counted gets the executors that the driver owns */
  #demandOf(driver: KubeObject, counted: Set<KubeObject>): ApplicationDemand {
    const { cluster, applications, queues, namespaces, mayLeave, promises, mostExecutors } = this.#options;
    const { uid, namespace = "", deletionTimestamp } = driver.metadata;
    const owned = cluster.podsOwnedBy(namespace, driver.metadata);
    const keepers = owned.filter(isLeftBehind);
    for (const pod of owned) if (isExecutor(pod)) counted.add(pod);
    for (const pod of keepers) counted.add(pod);
    const announcement = announcementOf(driver, mostExecutors);
    const queue = queues.queueOf(announcement.queue);
    const { executors: asked, unlisted } = executorsOf(owned, applications.get(uid));
    const spot = spotRuleOf(driver, queues.root, queue);
    const executors = this.capacityTypes.assign(uid, { asked, rule: spot, minimum: announcement.minimumExecutors });
    const hasLapsed = this.#noteLapse(
      driver,
      announcement,
      Math.max(executors.length + unlisted, highestId(executors)),
    );
    const isGoing = deletionTimestamp !== undefined;
    return applicationDemand({
      driver,
      announcement,
      queue,
      spot,
      refusal: queueRefusal(queues.root, queue, namespaces.facts(namespace)),
      priority: priorityIn(queues.root, queue, announcement.priority),
      isStarted: this.#started.has(uid),
      executors: isGoing ? executors.filter(({ kind }) => kind !== "waiting") : executors,
      unlisted: isGoing ? 0 : unlisted,
      keepers,
      isLeaving: (pod) => this.#leaving.has(pod.metadata.uid),
      leaveOf: mayLeave.of(driver, executors),
      wasComplete: isGoing || this.#complete.has(uid),
      hasLapsed,
      behindMs: promises.behindMs(driver),
      shapeOf: (pod) => this.resizes.shapeOf(pod),
    });
  }

  /** An application that Kueue decides on, to be shown; nothing for others. */
  #demandElsewhere(driver: KubeObject): ApplicationDemand[] {
    const localQueue = this.localQueueOf(driver);
    if (localQueue === undefined) return [];
    const isStarted = this.#started.has(driver.metadata.uid);
    return [
      kueueDemand({ ...this.kueueFacts(driver), localQueue, isStarted, shapeOf: (pod) => this.resizes.shapeOf(pod) }),
    ];
  }

  #noteLapse(driver: KubeObject, { minimumExecutors: minimum }: Announcement, asked: number): boolean {
    const { uid } = driver.metadata;
    const { applications, promises } = this.#options;
    const talkedAt = applications.get(uid)?.talkedAt;
    const hasLapsed = !this.#isGated(driver) && promises.hasLapsed({ driver, talkedAt, asked, minimum });
    if (hasLapsed) this.#lapsed.add(uid);
    else this.#lapsed.delete(uid);
    return hasLapsed;
  }

  /**
   * What is used on nodes by Spark's pods of other applications, such as those whose drivers create their executors
   * themselves, and those that Kueue decides on.
   *
   * @param counted the drivers and executors that are counted already
   */
  #usedByOtherPods(counted: ReadonlySet<KubeObject>): Usage {
    const { cluster, clusterRoom } = this.#options;
    const others = [...cluster.pods()].filter((pod) => !counted.has(pod));
    return usageOf(others, clusterRoom.shapes);
  }

  #forget(applications: readonly ApplicationDemand[]): void {
    const { cluster, mayLeave, promises } = this.#options;
    const ids = new Set(applications.map(({ id }) => id));
    mayLeave.keep(ids);
    promises.keep(ids);
    this.capacityTypes.keep(ids);
    for (const uid of this.#lapsed) if (!ids.has(uid)) this.#lapsed.delete(uid);
    const isComplete = ({ id, minimum }: ApplicationDemand): boolean => minimum.reached && !this.#lapsed.has(id);
    const complete = applications.filter(isComplete).map(({ id }) => id);
    this.#complete = new Set(complete);
    this.#started = new Set([...this.#started].filter((uid) => ids.has(uid)));
    if (this.#leaving.size === 0 && this.resizes.size === 0) return;
    const there = new Set([...cluster.pods()].map(({ metadata }) => metadata.uid));
    this.#leaving = new Set([...this.#leaving].filter((uid) => there.has(uid)));
    this.resizes.keep(there);
  }
}

function changed(set: ReadonlySet<string>, member: string, isIn: boolean): ReadonlySet<string> {
  return new Set(isIn ? [...set, member] : [...set].filter((other) => other !== member));
}
