import type { Holder, HolderReason, Wait } from "../admission-plan.ts";
import type { PresentExecutor } from "../application-demand.ts";
import { surplusOf, wayOut, type ApplicationAccount, type RoomRequest } from "../ledger/application-account.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { QueueAccount } from "../ledger/queue-account.ts";
import type { Shape } from "../ledger/shape.ts";
import { count, type Tally } from "../ledger/tally.ts";
import type { Resources } from "../resources.ts";
import { mayTake } from "./may-take.ts";
import type { Stopped } from "./round.ts";

/** How many holders are named at most. */
const MOST_HOLDERS = 3;

/** What is known about a queue with applications that have something. */
interface Holding {
  readonly queue: QueueAccount;
  /** What they had in the snapshot. */
  readonly has: Resources;
  /** Whether an application has executors above its floor. */
  readonly hasSurplus: boolean;
  /** Whether none of these executors can be taken away alone. */
  readonly areSets: boolean;
  /** Whether one of these executors can leave without loss. */
  readonly isGraceful: boolean;
  /** The shapes of executors that may be taken away: there are many executors, but few shapes. */
  readonly shapes: readonly Shape[];
}

/** Finds out, for a request that could not be met, which queues have the room, and why nothing can be taken from them. */
export class Holdings {
  readonly #ledger: Ledger;
  readonly #isPreemptionOn: boolean;
  readonly #holdings: readonly Holding[];

  constructor(ledger: Ledger, isPreemptionOn: boolean) {
    this.#ledger = ledger;
    this.#isPreemptionOn = isPreemptionOn;
    this.#holdings = holdingsOf(ledger.applications.filter(({ queue }) => queue !== ledger.queues.root));
  }

  /** Empty if other queues do not have the room, and for a request behind a start for which room is kept. */
  of({ reason, needs }: Wait, stopped: Stopped | undefined): readonly Holder[] {
    if (stopped === undefined || stopped.isBehind) return [];
    if (reason.kind !== "capacity" && reason.kind !== "fragments") return [];
    const { left } = reason;
    const scarce = Object.keys(needs).filter((name) => (needs[name] ?? 0) > (left[name] ?? Number.POSITIVE_INFINITY));
    const names = scarce.length === 0 ? Object.keys(needs) : scarce;
    const { request } = stopped;
    return this.#holdings
      .filter(({ queue }) => queue !== request.application.queue)
      .map((holding) => ({ holding, amounts: aboveGuarantee(holding, names) }))
      .filter(({ amounts }) => Object.keys(amounts).length > 0)
      .toSorted((a, b) => this.#partOf(b.amounts) - this.#partOf(a.amounts))
      .slice(0, MOST_HOLDERS)
      .map(({ holding, amounts }) => ({ queue: holding.queue.path, amounts, why: this.#why(request, holding) }));
  }

  #why(request: RoomRequest, { queue, hasSurplus, areSets, isGraceful, shapes }: Holding): HolderReason {
    if (!this.#isPreemptionOn) return "off";
    if (queue.preemption === "never") return "never";
    if (!hasSurplus) return "floor";
    if (areSets) return "sets";
    const reasons = shapes.map(({ amounts }) => mayTake(request, queue, amounts, this.#ledger.room.total));
    const allowed = reasons.filter((reason) => reason !== undefined);
    if (reasons.length > 0 && allowed.length === 0) return "share";
    if (!isGraceful && queue.preemption === "graceful") return "graceful";
    if (!isGraceful && !allowed.includes("guarantee")) return "loss";
    return "too-little";
  }

  /** The highest fraction of the total. */
  #partOf(amounts: Resources): number {
    const { total } = this.#ledger.room;
    return Math.max(...Object.entries(amounts).map(([name, amount]) => amount / (total[name] || 1)));
  }
}

function holdingsOf(applications: readonly ApplicationAccount[]): Holding[] {
  const inQueues = new Map<QueueAccount, ApplicationAccount[]>();
  for (const application of applications) {
    const others = inQueues.get(application.queue);
    if (others === undefined) inQueues.set(application.queue, [application]);
    else others.push(application);
  }
  return [...inQueues].map(([queue, own]) => holdingOf(queue, own));
}

function holdingOf(queue: QueueAccount, applications: readonly ApplicationAccount[]): Holding {
  const has: Tally = {};
  for (const { counted } of applications) count(has, Object.entries(counted), 1);
  const above = applications.filter((one) => surplusOf(one) > 0);
  const movable = above.flatMap((one) => one.movable);
  const isOfSet = ({ state, leave }: PresentExecutor): boolean => state === "leaving" || leave === "never";
  return {
    queue,
    has,
    hasSurplus: above.length > 0,
    areSets: above.every(({ demand }) => demand.present.every(isOfSet)),
    isGraceful: movable.some(({ executor }) => wayOut(executor) === "graceful"),
    shapes: [...new Set(movable.map(({ shape }) => shape))],
  };
}

function aboveGuarantee({ queue: { guarantee }, has }: Holding, names: readonly string[]): Resources {
  const above = names.map((name): [string, number] => [name, (has[name] ?? 0) - (guarantee[name] ?? 0)]);
  return Object.fromEntries(above.filter(([, amount]) => amount > 0));
}
