import type { DecommissionReason } from "../admission-plan.ts";
import {
  beginOf,
  latestFirst,
  surplusOf,
  wayOut,
  type ApplicationAccount,
  type RoomRequest,
  type PlacedExecutor,
} from "../ledger/application-account.ts";
import type { QueueAccount } from "../ledger/queue-account.ts";
import type { Shape } from "../ledger/shape.ts";
import { count as countIn, type Amounts } from "../ledger/tally.ts";
import { dominantShare, type Resources } from "../resources.ts";
import { isWithinGuarantee, mayTake } from "./may-take.ts";

/** How an executor is taken away. */
export type Way = "graceful" | "deletion";

/** Executors of one application, one shape and one way: what is true for one of them is true for all. */
export interface VictimGroup {
  readonly application: ApplicationAccount;
  readonly shape: Shape;
  readonly way: Way;
}

/** An executor that may be taken away. */
export interface Victim extends PlacedExecutor, VictimGroup {
  readonly group: VictimGroup;
}

interface QueueVictims {
  readonly groups: readonly VictimGroup[];
  /** In the order in which they are taken away. */
  readonly victims: readonly Victim[];
}

type InQueues = ReadonlyMap<QueueAccount, QueueVictims>;

/** A victim that may be taken away for a request. */
export type Candidate =
  | { readonly victim: Victim; readonly way: "graceful"; readonly reason: DecommissionReason }
  | { readonly victim: Victim; readonly way: "deletion"; readonly reason: "guarantee" };

/** The executors that may be taken away, as long as their application has more than its floor. */
export class Victims {
  readonly #total: Resources;
  readonly #applications: readonly ApplicationAccount[];
  readonly #surplus: Map<ApplicationAccount, number>;
  readonly #asked = new Set<Victim>();
  readonly #inQueues = new Map<Way, InQueues>();

  constructor(applications: readonly ApplicationAccount[], total: Resources) {
    this.#total = total;
    this.#surplus = new Map(applications.map((application) => [application, surplusOf(application)]));
    this.#applications = applications.filter((one) => (this.#surplus.get(one) ?? 0) > 0);
  }

  ask(victim: Victim): void {
    this.#asked.add(victim);
    this.#surplus.set(victim.application, (this.#surplus.get(victim.application) ?? 0) - 1);
  }

  spare(victim: Victim): void {
    this.#asked.delete(victim);
    this.#surplus.set(victim.application, (this.#surplus.get(victim.application) ?? 0) + 1);
  }

  /**
   * The executors that may be taken away for a request in the present state. First come executors that can leave without loss.
   * Then the order is: the request's own queue, then queues with the largest share; within a queue, the lowest priority, and
   * then the executor that began last.
   */
  *candidates(request: RoomRequest): Generator<Candidate> {
    yield* this.#candidatesOf(request, "graceful");
    if (isWithinGuarantee(request, this.#total)) yield* this.#candidatesOf(request, "deletion");
  }

  *#candidatesOf(request: RoomRequest, way: Way): Generator<Candidate> {
    for (const { groups, victims } of this.#queuesFor(request.application.queue, way)) {
      const reasons = new Map(groups.map((group) => [group, this.reasonFor(request, group)]));
      if (![...reasons.values()].some((reason) => reason !== undefined)) continue;
      for (const victim of victims) {
        const reason = reasons.get(victim.group);
        if (reason === undefined || this.#asked.has(victim)) continue;
        if (way === "graceful") yield { victim, way, reason };
        else if (reason === "guarantee") yield { victim, way, reason };
      }
    }
  }

  /**
   * The reason for which this executor may be taken away for a request; `undefined` if it may not. An executor is deleted only
   * for a guarantee.
   */
  reasonFor(request: RoomRequest, { application, shape, way }: VictimGroup): DecommissionReason | undefined {
    const claimant = request.application;
    if (claimant === application || (this.#surplus.get(application) ?? 0) <= 0) return undefined;
    const reason =
      claimant.queue === application.queue
        ? this.#withinQueue(request, application, shape.amounts)
        : mayTake(request, application.queue, shape.amounts, this.#total);
    return way === "graceful" || reason === "guarantee" ? reason : undefined;
  }

  /** Its own queue first; then on each level the queue with the largest share. */
  #queuesFor(own: QueueAccount, way: Way): readonly QueueVictims[] {
    const inQueues = this.#victimsOf(way);
    const mine = inQueues.get(own);
    const others = [...inQueues]
      .filter(([queue]) => queue !== own)
      .map(([queue, victims]) => ({ victims, shares: sharesFromRoot(queue) }))
      .toSorted((a, b) => greaterFirst(a.shares, b.shares))
      .map(({ victims }) => victims);
    return mine === undefined ? others : [mine, ...others];
  }

  /** Sorted when they are needed for the first time: executors to delete are rarely needed. */
  #victimsOf(way: Way): InQueues {
    const known = this.#inQueues.get(way);
    if (known !== undefined) return known;
    const victims = this.#applications.flatMap((application) => victimsOf(application, way));
    const inQueues = new Map(
      [...groupedByQueue(victims)].map(([queue, inQueue]): [QueueAccount, QueueVictims] => [
        queue,
        { groups: [...new Set(inQueue.map(({ group }) => group))], victims: inQueue.toSorted(lowestAndLatest) },
      ]),
    );
    this.#inQueues.set(way, inQueues);
    return inQueues;
  }

  #withinQueue(request: RoomRequest, loser: ApplicationAccount, lost: Amounts): DecommissionReason | undefined {
    const { application, amounts, what } = request;
    const above = application.demand.priority - loser.demand.priority;
    if (above > 0) return "priority";
    if (above < 0 || what === "surplus") return undefined;
    return this.#shareWith(application, amounts, 1) <= this.#shareWith(loser, lost, -1) ? "share" : undefined;
  }

  #shareWith({ allocated }: ApplicationAccount, amounts: Amounts, times: number): number {
    const then = { ...allocated };
    countIn(then, amounts, times);
    return dominantShare(then, this.#total);
  }
}

function sharesFromRoot({ parent, share }: QueueAccount): readonly number[] {
  return parent === undefined ? [] : [...sharesFromRoot(parent), share];
}

function greaterFirst(a: readonly number[], b: readonly number[]): number {
  const level = a.findIndex((share, index) => share !== b[index]);
  return (b[level] ?? 0) - (a[level] ?? 0);
}

function victimsOf(application: ApplicationAccount, way: Way): Victim[] {
  const groups = new Map<Shape, VictimGroup>();
  return application.movable.flatMap(({ executor, shape, place, count }) => {
    if (wayOut(executor) !== way) return [];
    const group = groups.get(shape) ?? { application, shape, way };
    groups.set(shape, group);
    return { executor, shape, place, count, application, way, group };
  });
}

function groupedByQueue(victims: readonly Victim[]): Map<QueueAccount, Victim[]> {
  const inQueues = new Map<QueueAccount, Victim[]>();
  for (const victim of victims) {
    const others = inQueues.get(victim.application.queue);
    if (others === undefined) inQueues.set(victim.application.queue, [victim]);
    else others.push(victim);
  }
  return inQueues;
}

function lowestAndLatest(
  { application: { demand: a }, executor: x }: Victim,
  { application: { demand: b }, executor: y }: Victim,
): number {
  return a.priority - b.priority || beginOf(y) - beginOf(x) || (a.id < b.id ? -1 : a.id > b.id ? 1 : latestFirst(x, y));
}
