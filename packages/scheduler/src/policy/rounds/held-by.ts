import type { Holder, HolderReason, Wait } from "../admission-plan.ts";
import { surplusOf, wayOut, type ApplicationAccount, type Claim } from "../ledger/application-account.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { QueueAccount } from "../ledger/queue-account.ts";
import { count, type Tally } from "../ledger/tally.ts";
import type { Resources } from "../resources.ts";
import { mayTake } from "./may-take.ts";
import type { Stopped } from "./round.ts";

/** More are not worth telling. */
const MOST_HOLDERS = 3;

/** A queue with applications that have something. */
interface Holding {
  readonly queue: QueueAccount;
  readonly applications: readonly ApplicationAccount[];
  /** What they had in the snapshot. */
  readonly has: Resources;
}

/** Tells of a claim that could not be met which queues have the room, and why none of it can be had. */
export class Holdings {
  readonly #ledger: Ledger;
  readonly #isPreemptionOn: boolean;
  readonly #holdings: readonly Holding[];

  constructor(ledger: Ledger, isPreemptionOn: boolean) {
    this.#ledger = ledger;
    this.#isPreemptionOn = isPreemptionOn;
    this.#holdings = holdingsOf(ledger.applications.filter(({ queue }) => queue !== ledger.queues.root));
  }

  /** Empty where it is not other queues that have the room, and for a claim behind a start that room is kept for. */
  of({ reason, needs }: Wait, stopped: Stopped | undefined): readonly Holder[] {
    if (stopped === undefined || stopped.isBehind) return [];
    if (reason.kind !== "capacity" && reason.kind !== "fragments") return [];
    const { left } = reason;
    const scarce = Object.keys(needs).filter((name) => (needs[name] ?? 0) > (left[name] ?? Number.POSITIVE_INFINITY));
    const names = scarce.length === 0 ? Object.keys(needs) : scarce;
    const { claim } = stopped;
    return this.#holdings
      .filter(({ queue }) => queue !== claim.application.queue)
      .map((holding) => ({ holding, amounts: aboveGuarantee(holding, names) }))
      .filter(({ amounts }) => Object.keys(amounts).length > 0)
      .toSorted((a, b) => this.#partOf(b.amounts) - this.#partOf(a.amounts))
      .slice(0, MOST_HOLDERS)
      .map(({ holding, amounts }) => ({ queue: holding.queue.path, amounts, why: this.#why(claim, holding) }));
  }

  #why(claim: Claim, { queue, applications }: Holding): HolderReason {
    if (!this.#isPreemptionOn) return "off";
    if (queue.preemption === "never") return "never";
    const above = applications.filter((one) => surplusOf(one) > 0);
    if (above.length === 0) return "floor";
    const executors = above.flatMap(({ demand }) =>
      demand.present.filter(({ state }) => state === "running" || state === "pending"),
    );
    if (executors.every(({ leave }) => leave === "never")) return "sets";
    const reasons = above.flatMap(({ movable }) =>
      movable.map(({ shape }) => mayTake(claim, queue, shape.amounts, this.#ledger.room.total)),
    );
    const allowed = reasons.filter((reason) => reason !== undefined);
    if (reasons.length > 0 && allowed.length === 0) return "share";
    const isGraceful = above.some(({ movable }) => movable.some(({ executor }) => wayOut(executor) === "graceful"));
    if (!isGraceful && queue.preemption === "graceful") return "graceful";
    if (!isGraceful && !allowed.includes("guarantee")) return "loss";
    return "too-little";
  }

  /** The greatest part of what there is. */
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
  return [...inQueues].map(([queue, own]) => {
    const has: Tally = {};
    for (const { counted } of own) count(has, Object.entries(counted), 1);
    return { queue, applications: own, has };
  });
}

function aboveGuarantee({ queue: { guarantee }, has }: Holding, names: readonly string[]): Resources {
  const above = names.map((name): [string, number] => [name, (has[name] ?? 0) - (guarantee[name] ?? 0)]);
  return Object.fromEntries(above.filter(([, amount]) => amount > 0));
}
