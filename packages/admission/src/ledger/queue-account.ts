import {
  DEFAULT_FLOOR,
  DEFAULT_PREEMPTION,
  effectiveGuarantee,
  queuePath,
  type Queue,
  type QueueFloor,
  type QueuePreemption,
} from "../queue.ts";
import { dominantShare, type Resources } from "../resources.ts";
import { amountsOf, count, type Amounts, type Tally } from "./tally.ts";

/** What a queue has, with all queues below it, and the rules that it is configured with. */
export interface QueueAccount extends Omit<Queue, "name" | "children"> {
  readonly path: string;
  readonly parent: QueueAccount | undefined;
  readonly children: readonly QueueAccount[];
  readonly depth: number;
  /** Its own floor, or else that of the nearest parent with a floor. */
  readonly floor: QueueFloor;
  readonly preemption: QueuePreemption;
  readonly allocated: Tally;
  /** The part of it that is leaving. */
  readonly leaving: Tally;
  /** Counts only for the ceiling. */
  readonly kept: Tally;
  /** Its dominant share (the highest fraction of any resource that it has), divided by its weight. */
  share: number;
  /** The highest fraction of its guarantee that it has; infinite if nothing is guaranteed. */
  guaranteed: number;
}

export interface QueueAccounts {
  readonly root: QueueAccount;
  /** By the path. */
  readonly leaves: ReadonlyMap<string, QueueAccount>;
}

export function openQueueAccounts(queues: Queue): QueueAccounts {
  const leaves = new Map<string, QueueAccount>();
  const open = (queue: Queue, path: string, parent: QueueAccount | undefined): QueueAccount => {
    const children: QueueAccount[] = [];
    const guarantee = Object.fromEntries(amountsOf(effectiveGuarantee(queue)));
    const { name: _name, children: below, ...rules } = queue;
    const account: QueueAccount = {
      ...rules,
      path,
      parent,
      children,
      depth: parent === undefined ? 0 : parent.depth + 1,
      guarantee,
      floor: queue.floor ?? parent?.floor ?? DEFAULT_FLOOR,
      preemption: queue.preemption ?? parent?.preemption ?? DEFAULT_PREEMPTION,
      allocated: {},
      leaving: {},
      kept: {},
      share: 0,
      guaranteed: guaranteedPart(guarantee, {}),
    };
    children.push(...below.map((child) => open(child, queuePath(path, child.name), account)));
    if (children.length === 0 && parent !== undefined) leaves.set(path, account);
    return account;
  };
  return { root: open(queues, "", undefined), leaves };
}

/** Adds the amounts `times` times to a queue and its parents; subtracts them if `times` is negative. */
export function charge(leaf: QueueAccount, amounts: Amounts, times: number, total: Resources): void {
  for (let account: QueueAccount | undefined = leaf; account !== undefined; account = account.parent) {
    count(account.allocated, amounts, times);
    account.share = dominantShare(account.allocated, total) / account.weight;
    account.guaranteed = guaranteedPart(account.guarantee, account.allocated);
  }
}

/** The first queue on the way up whose ceiling does not allow these amounts: in addition to what it has and keeps, or alone. */
export function ceilingInTheWay(
  leaf: QueueAccount,
  amounts: Amounts,
  besides: "all" | "nothing",
): QueueAccount | undefined {
  for (let account: QueueAccount | undefined = leaf; account !== undefined; account = account.parent) {
    const { ceiling, allocated, kept } = account;
    for (const [name, amount] of amounts) {
      const most = ceiling[name];
      if (most === undefined) continue;
      const had = besides === "nothing" ? 0 : (allocated[name] ?? 0) + (kept[name] ?? 0);
      if (amount + had > most) return account;
    }
  }
  return undefined;
}

/** Records that these amounts of a queue and its parents are leaving. */
export function noteLeaving(leaf: QueueAccount, amounts: Amounts): void {
  for (let account: QueueAccount | undefined = leaf; account !== undefined; account = account.parent)
    count(account.leaving, amounts, 1);
}

/** Whether the amounts are below the queue's own ceiling when the executors that were asked to leave are gone. */
export function isBelowCeilingSoon({ ceiling, allocated, leaving, kept }: QueueAccount, amounts: Amounts): boolean {
  return amounts.every(([name, amount]) => {
    const soon = (allocated[name] ?? 0) - (leaving[name] ?? 0) + (kept[name] ?? 0);
    return amount + soon <= (ceiling[name] ?? Number.POSITIVE_INFINITY);
  });
}

/** The queue's share, and the fraction of its guarantee, if it had `times` times the amounts more. */
export function queueWith(
  { allocated, weight, guarantee }: QueueAccount,
  amounts: Amounts,
  times: number,
  total: Resources,
): Pick<QueueAccount, "share" | "guaranteed"> {
  const then = { ...allocated };
  count(then, amounts, times);
  return { share: dominantShare(then, total) / weight, guaranteed: guaranteedPart(guarantee, then) };
}

/** The two children of the nearest common parent of two queues; `undefined` if one queue contains the other. */
export function siblingsAbove(a: QueueAccount, b: QueueAccount): readonly [QueueAccount, QueueAccount] | undefined {
  let [one, other] = [a, b];
  while (one.parent !== undefined && other.parent !== undefined && one.parent !== other.parent) {
    const { depth } = one;
    if (depth >= other.depth) one = one.parent;
    if (depth <= other.depth) other = other.parent;
  }
  return one !== other && one.parent !== undefined && one.parent === other.parent ? [one, other] : undefined;
}

function guaranteedPart(guarantee: Resources, allocated: Resources): number {
  let part: number | undefined;
  for (const name in guarantee) {
    const amount = guarantee[name] ?? 0;
    if (amount > 0) part = Math.max(part ?? 0, (allocated[name] ?? 0) / amount);
  }
  return part ?? Number.POSITIVE_INFINITY;
}
