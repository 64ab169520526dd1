import { byAge } from "../application-demand.ts";
import type { QueueAccount } from "../ledger/queue-account.ts";
import type { Line, Wants } from "./wants.ts";

/** The offers, made one by one in the order of fairness; each returns whether it could be met. */
export interface Offers {
  readonly start: (wants: Wants) => boolean;
  readonly surplus: (wants: Wants, line: Line) => boolean;
}

/** A queue with applications (in it or below it) that still want something. */
interface Contestant {
  readonly queue: QueueAccount;
  readonly children: Contestant[];
  /** The highest priority first. */
  readonly bands: Band[];
}

/** The applications of one priority in a queue. */
interface Band {
  /** The earliest goes first. */
  readonly starts: Wants[];
  readonly surplus: Surplus[];
}

interface Surplus {
  readonly wants: Wants;
  /** The lines that have had no obstacle so far. */
  readonly lines: Line[];
}

/**
 * Distributes what there is, one start or one executor at a time. On each level of queues, queues below their guarantee go
 * first, and then the queue with the smallest share for its weight. In a queue, the highest priority goes first, then starts,
 * and then the application with the smallest share. Applications that cannot be served are skipped.
 */
export function fillFairly(root: QueueAccount, all: readonly Wants[], offers: Offers): void {
  const wantsIn = new Map<QueueAccount, Wants[]>();
  for (const wants of all) {
    const { queue } = wants.account;
    wantsIn.set(queue, [...(wantsIn.get(queue) ?? []), wants]);
  }
  const contest = contestant(root, wantsIn);
  while (takeTurn(contest, offers));
}

function contestant(queue: QueueAccount, wantsIn: ReadonlyMap<QueueAccount, readonly Wants[]>): Contestant {
  return {
    queue,
    children: queue.children.map((child) => contestant(child, wantsIn)),
    bands: bandsOf(wantsIn.get(queue) ?? []),
  };
}

function bandsOf(all: readonly Wants[]): Band[] {
  const bands = new Map<number, Band>();
  for (const wants of all.toSorted((a, b) => byAge(a.account.demand, b.account.demand))) {
    const { priority } = wants.account.demand;
    const band = bands.get(priority) ?? { starts: [], surplus: [] };
    bands.set(priority, band);
    const lines = wants.surplus.filter(({ executors, served }) => served < executors.length);
    if (wants.start !== undefined) band.starts.push(wants);
    else if (lines.length > 0) band.surplus.push({ wants, lines });
  }
  return [...bands].toSorted(([a], [b]) => b - a).map(([, band]) => band);
}

/** Makes one offer; false if no application is left. */
function takeTurn({ children, bands }: Contestant, offers: Offers): boolean {
  while (children.length > 0) {
    const next = least(children, beforeInTurn);
    if (next === undefined) return false;
    if (takeTurn(next, offers)) return true;
    children.splice(children.indexOf(next), 1);
  }
  while (bands.length > 0) {
    const [band] = bands;
    if (band !== undefined && offerIn(band, offers)) return true;
    bands.shift();
  }
  return false;
}

function offerIn({ starts, surplus }: Band, offers: Offers): boolean {
  const wants = starts.shift();
  if (wants !== undefined) {
    offers.start(wants);
    return true;
  }
  const next = least(surplus, (a, b) => a.wants.account.share < b.wants.account.share);
  if (next === undefined) return false;
  const line = least(next.lines, (a, b) => positionOf(a) < positionOf(b));
  const isMet = line !== undefined && offers.surplus(next.wants, line);
  if (!isMet && next.wants.account.demand.inOrder === true) next.lines.length = 0;
  else if (line !== undefined && (!isMet || line.served === line.executors.length))
    next.lines.splice(next.lines.indexOf(line), 1);
  if (next.lines.length === 0) surplus.splice(surplus.indexOf(next), 1);
  return true;
}

function beforeInTurn({ queue: a }: Contestant, { queue: b }: Contestant): boolean {
  if (a.guaranteed < 1 || b.guaranteed < 1) return a.guaranteed < b.guaranteed;
  return a.share < b.share;
}

function positionOf({ executors, served }: Line): number {
  return executors[served]?.position ?? Number.POSITIVE_INFINITY;
}

/** The first item that no other item must precede. */
function least<T>(all: readonly T[], isBefore: (a: T, b: T) => boolean): T | undefined {
  let [first] = all;
  for (const one of all) if (first !== undefined && isBefore(one, first)) first = one;
  return first;
}
