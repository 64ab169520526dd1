import { minimumCount, type ApplicationDemand, type Leave, type PresentExecutor } from "../application-demand.ts";
import type { WaitKind } from "../admission-plan.ts";
import { dominantShare, type Resources } from "../resources.ts";
import type { PlacedPods } from "./place.ts";
import type { QueueAccount } from "./queue-account.ts";
import { requestsOf, type Batch, type Shape } from "./shape.ts";
import { amountsOf, count, type Amounts, type Tally } from "./tally.ts";

/** What an application has. */
export interface ApplicationAccount {
  readonly demand: ApplicationDemand;
  /** The root for an application whose queue is not known: it gets nothing. */
  readonly queue: QueueAccount;
  readonly allocated: Tally;
  /** What it had in the snapshot. */
  readonly counted: Tally;
  /** The greatest part of a resource that it has. */
  share: number;
  /** Its pods that stay: the driver, once started, and executors that were not asked to leave. */
  readonly standing: Batch[];
  /** Those of them whose place is known. */
  readonly placed: PlacedPods[];
  /** Executors that may be taken away as far as there are more than the floor: those that run, and those that never began. */
  readonly movable: PlacedExecutor[];
  /** Of executors that were asked to leave and are not gone. */
  readonly leaving: Shape[];
}

export interface PlacedExecutor extends PlacedPods {
  readonly executor: PresentExecutor;
}

/** Pods that an application wants together, or not at all. */
export interface Claim {
  readonly application: ApplicationAccount;
  readonly what: WaitKind;
  readonly pods: readonly Batch[];
  /** The sum of what the pods request. */
  readonly amounts: Amounts;
  /** Those that no quota counts yet: all but a driver, whose pod is there behind its gate. */
  readonly uncounted: readonly Batch[];
}

export function openApplicationAccount(demand: ApplicationDemand, queue: QueueAccount): ApplicationAccount {
  return { demand, queue, allocated: {}, counted: {}, share: 0, standing: [], placed: [], movable: [], leaving: [] };
}

export function chargeApplication(
  account: ApplicationAccount,
  amounts: Amounts,
  times: number,
  total: Resources,
): void {
  count(account.allocated, amounts, times);
  account.share = dominantShare(account.allocated, total);
}

/**
 * How many executors are left to an application whatever others need: its minimum until that has been there, which is
 * promised to it; from then on the floor of its queue.
 */
export function floorOf({ demand, queue: { floor } }: ApplicationAccount): number {
  return !demand.minimum.reached || floor === "minimum" ? minimumCount(demand) : Math.max(1, floor);
}

/** How many executors that an application is owed are not decided on yet: of its floor, and never more than its minimum. */
export function missingOfMinimum(account: ApplicationAccount): number {
  const { demand } = account;
  if (demand.driver.state === "gated") return 0;
  return Math.max(0, Math.min(minimumCount(demand), floorOf(account)) - standingExecutors(demand));
}

/** How many executors may be taken away so that the floor stays. */
export function surplusOf(account: ApplicationAccount): number {
  return Math.max(0, standingExecutors(account.demand) - floorOf(account));
}

/** How an executor may be taken away at best: one that never began to run loses nothing, and cannot be decommissioned. */
export function wayOut({ state, leave }: PresentExecutor): Leave {
  return state === "pending" && leave === "graceful" ? "deletion" : leave;
}

/** The order in which executors of an application are taken away: who began last first, then who came last. */
export function latestFirst(a: PresentExecutor, b: PresentExecutor): number {
  return beginOf(b) - beginOf(a) || b.id.length - a.id.length || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

/** When an executor began, for the order: one that has not begun is the latest of all. */
export function beginOf({ began }: PresentExecutor): number {
  return began ?? Number.MAX_SAFE_INTEGER;
}

/** Its pods that would stay if all surplus were asked to leave. */
export function firmPods(account: ApplicationAccount): readonly PlacedPods[] {
  const latest = account.movable.toSorted((a, b) => latestFirst(a.executor, b.executor));
  const surplus = new Set<PlacedPods>(latest.slice(0, surplusOf(account)));
  return account.placed.filter((pods) => !surplus.has(pods));
}

/** The driver with its minimum executors. The greater pods come first: small ones find room more easily after that. */
export function startClaim(application: ApplicationAccount, driver: Shape, executor: Shape, total: Resources): Claim {
  const executors = [{ shape: executor, count: minimumCount(application.demand) }];
  const pods = [{ shape: driver, count: 1 }, ...executors].toSorted(
    (a, b) => dominantShare(b.shape.pod.requests, total) - dominantShare(a.shape.pod.requests, total),
  );
  return { application, what: "start", pods, amounts: amountsOf(requestsOf(pods)), uncounted: executors };
}

export function executorClaim(application: ApplicationAccount, what: WaitKind, shape: Shape): Claim {
  const pods = [{ shape, count: 1 }];
  return { application, what, pods, amounts: shape.amounts, uncounted: pods };
}

function standingExecutors({ present }: ApplicationDemand): number {
  return present.filter(({ state }) => state !== "leaving").length;
}
