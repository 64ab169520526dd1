import type { DecommissionReason } from "../admission-plan.ts";
import {
  latestFirst,
  surplusOf,
  type ApplicationAccount,
  type Claim,
  type PlacedExecutor,
} from "../ledger/application-account.ts";
import { queueWith, siblingsAbove, type QueueAccount } from "../ledger/queue-account.ts";
import type { Shape } from "../ledger/shape.ts";
import { count as countIn, type Amounts } from "../ledger/tally.ts";
import { dominantShare, type Resources } from "../resources.ts";

/** Executors of one application and one shape: what holds for one of them holds for all. */
export interface VictimGroup {
  readonly application: ApplicationAccount;
  readonly shape: Shape;
}

/** An executor that may be asked to leave. */
export interface Victim extends PlacedExecutor, VictimGroup {
  readonly group: VictimGroup;
}

interface QueueVictims {
  readonly groups: readonly VictimGroup[];
  /** Who is asked first is first. */
  readonly victims: readonly Victim[];
}

/** A victim that may be asked for the sake of a claim. */
export interface Candidate {
  readonly victim: Victim;
  readonly reason: DecommissionReason;
}

/** The executors that may be asked to leave, as long as their application has more than its minimum. */
export class Victims {
  readonly #total: Resources;
  readonly #inQueues: ReadonlyMap<QueueAccount, QueueVictims>;
  readonly #surplus: Map<ApplicationAccount, number>;
  readonly #asked = new Set<Victim>();

  constructor(applications: readonly ApplicationAccount[], total: Resources) {
    this.#total = total;
    this.#surplus = new Map(applications.map((application) => [application, surplusOf(application)]));
    const victims = applications.filter((one) => surplusOf(one) > 0).flatMap(victimsOf);
    this.#inQueues = new Map(
      [...groupedByQueue(victims)].map(([queue, inQueue]) => [
        queue,
        { groups: [...new Set(inQueue.map(({ group }) => group))], victims: inQueue.toSorted(lowestAndLatest) },
      ]),
    );
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
   * Who may be asked for the sake of a claim, as things are now: first in its own queue, then in the queues with the
   * greatest share; of a queue the lowest priority and who began last.
   */
  *candidates(claim: Claim): Generator<Candidate> {
    for (const { groups, victims } of this.#queuesFor(claim.application.queue)) {
      const reasons = new Map(groups.map((group) => [group, this.reasonFor(claim, group)]));
      if (![...reasons.values()].some((reason) => reason !== undefined)) continue;
      for (const victim of victims) {
        const reason = reasons.get(victim.group);
        if (reason !== undefined && !this.#asked.has(victim)) yield { victim, reason };
      }
    }
  }

  /** Why this executor may be asked for the sake of a claim; `undefined` if it may not. */
  reasonFor(claim: Claim, { application, shape }: VictimGroup): DecommissionReason | undefined {
    const claimant = claim.application;
    if (claimant === application || (this.#surplus.get(application) ?? 0) <= 0) return undefined;
    return claimant.queue === application.queue
      ? this.#withinQueue(claim, application, shape.amounts)
      : this.#betweenQueues(claim, application.queue, shape.amounts);
  }

  /** Its own queue first; then on each level the one with the greatest share. */
  #queuesFor(own: QueueAccount): readonly QueueVictims[] {
    const mine = this.#inQueues.get(own);
    const others = [...this.#inQueues]
      .filter(([queue]) => queue !== own)
      .map(([queue, victims]) => ({ victims, shares: sharesFromRoot(queue) }))
      .toSorted((a, b) => greaterFirst(a.shares, b.shares))
      .map(({ victims }) => victims);
    return mine === undefined ? others : [mine, ...others];
  }

  #withinQueue(claim: Claim, loser: ApplicationAccount, lost: Amounts): DecommissionReason | undefined {
    const { application, amounts, what } = claim;
    const above = application.demand.priority - loser.demand.priority;
    if (above > 0) return "priority";
    if (above < 0 || what === "surplus") return undefined;
    return this.#shareWith(application, amounts, 1) <= this.#shareWith(loser, lost, -1) ? "share" : undefined;
  }

  /**
   * What the claimant's side has afterwards must not be more than what the other side has left, or not more than its
   * guarantee: so the other side never has a reason to take it back.
   */
  #betweenQueues({ application, amounts }: Claim, losing: QueueAccount, lost: Amounts): DecommissionReason | undefined {
    const siblings = siblingsAbove(application.queue, losing);
    if (siblings === undefined) return undefined;
    const [gainer, loser] = siblings;
    for (let queue: QueueAccount | undefined = losing; queue !== loser.parent; queue = queue.parent) {
      if (queue === undefined || queueWith(queue, lost, -1, this.#total).guaranteed < 1) return undefined;
    }
    const afterwards = queueWith(gainer, amounts, 1, this.#total);
    if (afterwards.guaranteed <= 1) return "guarantee";
    return afterwards.share <= queueWith(loser, lost, -1, this.#total).share ? "share" : undefined;
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

function victimsOf(application: ApplicationAccount): Victim[] {
  const groups = new Map<Shape, VictimGroup>();
  return application.movable.map(({ executor, shape, place, count }) => {
    const group = groups.get(shape) ?? { application, shape };
    groups.set(shape, group);
    return { executor, shape, place, count, application, group };
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
  const byBegin = (y.began ?? 0) - (x.began ?? 0);
  return a.priority - b.priority || byBegin || (a.id < b.id ? -1 : a.id > b.id ? 1 : latestFirst(x, y));
}
