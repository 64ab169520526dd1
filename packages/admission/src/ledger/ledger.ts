import type { PolicySnapshot } from "../admission-plan.ts";
import type { ApplicationDemand, KeptPod, PresentExecutor } from "../application-demand.ts";
import type { PodShape } from "../pod-shape.ts";
import {
  chargeApplication,
  firmPods,
  openApplicationAccount,
  wayOut,
  type ApplicationAccount,
  type RoomRequest,
  type PlacedExecutor,
} from "./application-account.ts";
import {
  ceilingInTheWay,
  charge,
  isBelowCeilingSoon,
  noteLeaving,
  openQueueAccounts,
  type QueueAccount,
  type QueueAccounts,
} from "./queue-account.ts";
import {
  chargeQuotas,
  costOf,
  isLeftSoon,
  openQuotaAccounts,
  quotaInTheWay,
  type QuotaAccount,
  type QuotaAccounts,
} from "./quota-account.ts";
import type { Place } from "./place.ts";
import { Room } from "./room.ts";
import { createShapes, type Batch, type Shape, type ShapeOf } from "./shape.ts";
import { amountsOf, count, type Tally } from "./tally.ts";

/** The obstacle for a request. */
export type Obstacle =
  | { readonly kind: "ceiling"; readonly queue: QueueAccount }
  | { readonly kind: "quota"; readonly quota: QuotaAccount }
  | { readonly kind: "room" };

interface LocatedPod {
  readonly shape: Shape;
  readonly place: Place | undefined;
}

/** Who has what while a plan is made. It starts with the snapshot, and changes with each request that is met. */
export class Ledger {
  readonly shapeOf: ShapeOf = createShapes();
  readonly room: Room;
  readonly queues: QueueAccounts;
  readonly applications: readonly ApplicationAccount[];
  readonly #quotas: QuotaAccounts;

  constructor({ capacity, now, queues, quotas, applications }: PolicySnapshot) {
    this.room = new Room(capacity, now);
    this.queues = openQueueAccounts(queues);
    this.#quotas = openQuotaAccounts(quotas);
    this.applications = applications.map((demand) => openApplicationAccount(demand, accountOf(this.queues, demand)));
    // Pods with a node come first; the others are put where these leave room.
    for (const account of this.applications) this.#countPods(account, true);
    this.room.pack();
    for (const account of this.applications) this.#countPods(account, false);
    for (const account of this.applications) {
      this.room.expectToStay(firmPods(account));
      this.#charge(account, amountsOf(account.counted), 1);
    }
  }

  quotasOf({ namespace }: ApplicationDemand): readonly QuotaAccount[] {
    return this.#quotas.get(namespace) ?? [];
  }

  /** The ceiling or quota that is in the way of a request. Room is not checked. */
  limitInTheWay({ application, amounts, uncounted }: RoomRequest): Obstacle | undefined {
    const queue = ceilingInTheWay(application.queue, amounts, "all");
    if (queue !== undefined) return { kind: "ceiling", queue };
    const quota = quotaInTheWay(this.quotasOf(application.demand), uncounted);
    return quota && { kind: "quota", quota };
  }

  /** Meets a request; if that is not possible, changes nothing and returns the obstacle. */
  meet(request: RoomRequest): Obstacle | undefined {
    const limit = this.limitInTheWay(request);
    if (limit !== undefined) return limit;
    if (!this.room.put(request.pods)) return { kind: "room" };
    this.enter(request);
    return undefined;
  }

  /** Counts a request as met after its pods have been put. */
  enter({ application, amounts, uncounted }: RoomRequest): void {
    this.#charge(application, amounts, 1);
    chargeQuotas(this.quotasOf(application.demand), uncounted, 1);
  }

  /** Counts an executor as gone, but does not free its place. */
  dismiss(application: ApplicationAccount, { shape }: Pick<PlacedExecutor, "shape">): void {
    this.#charge(application, shape.amounts, -1);
    chargeQuotas(this.quotasOf(application.demand), [{ shape, count: 1 }], -1);
  }

  /** Undoes `dismiss`. */
  readmit(application: ApplicationAccount, { shape }: Pick<PlacedExecutor, "shape">): void {
    this.#charge(application, shape.amounts, 1);
    chargeQuotas(this.quotasOf(application.demand), [{ shape, count: 1 }], 1);
  }

  /** Counts executors that were asked to leave as gone. */
  dismissLeaving(): void {
    this.room.vacateLeaving();
    forgetLeaving(this.queues.root);
    for (const { leaving } of [...this.#quotas.values()].flat()) clear(leaving);
    for (const application of this.applications) {
      for (const shape of application.leaving) this.dismiss(application, { shape });
    }
  }

  /**
   * Keeps what a request lacks, so that no other request takes it: room, or the rest of a queue's ceiling or of a quota. A
   * minimum that lacks only room also needs its part of ceilings and quotas when room has become free. If another application
   * started with that part meanwhile, each of the two could wait for the other for ever. The opposite is not true: room that
   * is kept for what waits below a ceiling would lie idle, and be lost for other queues.
   */
  keep(request: RoomRequest, obstacle: Obstacle): void {
    const { application, pods, amounts, uncounted, what } = request;
    switch (obstacle.kind) {
      case "ceiling":
        return count(obstacle.queue.kept, amounts, 1);
      case "quota":
        return count(obstacle.quota.kept, costOf(obstacle.quota, uncounted), 1);
      case "room":
        if (what === "minimum") this.#keepBelowLimits(request);
        return this.room.keep(pods, what === "start" ? [] : application.placed);
    }
  }

  /**
   * Like `keep`, but only if the executors that were asked to leave make enough free for the request: otherwise it is too
   * early.
   */
  keepWhatComes(request: RoomRequest, obstacle: Obstacle): void {
    switch (obstacle.kind) {
      case "ceiling":
        return isBelowCeilingSoon(obstacle.queue, request.amounts) ? this.keep(request, obstacle) : undefined;
      case "quota":
        return isLeftSoon(obstacle.quota, request.uncounted) ? this.keep(request, obstacle) : undefined;
      case "room":
        return this.room.keepWhatComes(request.pods);
    }
  }

  /** Releases everything that was kept. */
  unkeep(): void {
    this.room.unkeep();
    clearKept(this.queues.root);
    for (const { kept } of [...this.#quotas.values()].flat()) clear(kept);
  }

  #keepBelowLimits({ application, amounts, uncounted }: RoomRequest): void {
    for (let queue: QueueAccount | undefined = application.queue; queue !== undefined; queue = queue.parent)
      count(queue.kept, amounts, 1);
    for (const quota of this.quotasOf(application.demand)) count(quota.kept, costOf(quota, uncounted), 1);
  }

  #charge(application: ApplicationAccount, amounts: RoomRequest["amounts"], times: number): void {
    charge(application.queue, amounts, times, this.room.total);
    chargeApplication(application, amounts, times, this.room.total);
  }

  #countPods(account: ApplicationAccount, onNode: boolean): void {
    const { driver, present, keepers = [] } = account.demand;
    if ((driver.node !== undefined) === onNode) this.#countDriver(account);
    for (const keeper of keepers) if ((keeper.node !== undefined) === onNode) this.#countKeeper(account, keeper);
    for (const executor of present) {
      if ((executor.node !== undefined) !== onNode) continue;
      const { shape, place } = this.#occupy(account, executor.pod, executor.node);
      this.#countInQuotas(account, { shape, count: 1 }, executor.state === "admitted");
      if (executor.state === "leaving") {
        account.leaving.push(shape);
        noteLeaving(account.queue, shape.amounts);
        for (const quota of this.quotasOf(account.demand))
          count(quota.leaving, costOf(quota, [{ shape, count: 1 }]), 1);
        if (place !== undefined) this.room.expectToLeave({ shape, place, count: 1 });
        continue;
      }
      account.standing.push({ shape, count: 1 });
      if (place === undefined) continue;
      const placed = { executor, shape, place, count: 1 };
      account.placed.push(placed);
      if (isMovable(account, executor)) account.movable.push(placed);
    }
  }

  /** Keepers give way to executors that wait, so they are not among the pods that stay. */
  #countKeeper(account: ApplicationAccount, { pod, node }: KeptPod): void {
    const { shape } = this.#occupy(account, pod, node);
    this.#countInQuotas(account, { shape, count: 1 }, false);
  }

  #countDriver(account: ApplicationAccount): void {
    const { pod, node, state } = account.demand.driver;
    this.#countInQuotas(account, { shape: this.shapeOf(pod), count: 1 }, false);
    if (state === "gated") return;
    const { shape, place } = this.#occupy(account, pod, node);
    account.standing.push({ shape, count: 1 });
    if (place === undefined) return;
    account.placed.push({ shape, place, count: 1 });
    this.room.noteDriver(place);
  }

  #occupy(account: ApplicationAccount, pod: PodShape, node: string | undefined): LocatedPod {
    const shape = this.shapeOf(pod);
    const place = this.room.occupy(shape, node);
    count(account.counted, shape.amounts, 1);
    return { shape, place };
  }

  /** The quota's `used` already contains a pod, unless the pod is only admitted. */
  #countInQuotas({ demand }: ApplicationAccount, pods: Batch, onlyDecided: boolean): void {
    for (const account of this.quotasOf(demand)) {
      const cost = costOf(account, [pods]);
      if (onlyDecided) count(account.left, cost, -1);
      else count(account.ours, cost, 1);
    }
  }
}

/** An application that may not use its queue is treated as if it named an unknown queue. */
function accountOf({ leaves, root }: QueueAccounts, { queue, refusal }: ApplicationDemand): QueueAccount {
  return (refusal === undefined ? leaves.get(queue) : undefined) ?? root;
}

function isMovable({ queue: { preemption } }: ApplicationAccount, executor: PresentExecutor): boolean {
  if (executor.state !== "running" && executor.state !== "pending") return false;
  const way = wayOut(executor);
  return way === "graceful" ? preemption !== "never" : way === "deletion" && preemption === "any";
}

function clearKept(queue: QueueAccount): void {
  clear(queue.kept);
  for (const child of queue.children) clearKept(child);
}

function forgetLeaving(queue: QueueAccount): void {
  clear(queue.leaving);
  for (const child of queue.children) forgetLeaving(child);
}

function clear(tally: Tally): void {
  for (const name of Object.keys(tally)) delete tally[name];
}
