import { minimumCount, type ApplicationDemand, type Leave, type PresentExecutor } from "../application-demand.ts";
import type { WaitKind } from "../admission-plan.ts";
import { dominantShare, type Resources } from "../resources.ts";
import type { PlacedPods } from "./place.ts";
import type { QueueAccount } from "./queue-account.ts";
import { requestsOf, type Batch, type Shape } from "./shape.ts";
import { amountsOf, count, type Amounts, type Tally } from "./tally.ts";

/** What an application has, while a plan is made. */
export interface ApplicationAccount {
  readonly demand: ApplicationDemand;
  /** Its queue; the root if its queue is not known: then it gets nothing. */
  readonly queue: QueueAccount;
  readonly allocated: Tally;
  /** What the application had in the snapshot. */
  readonly counted: Tally;
  /** Its dominant share: the highest fraction of any resource that it has. */
  share: number;
  /** Its pods that stay: the driver if it is started, and executors that were not asked to leave. */
  readonly standing: Batch[];
  /** Those of these pods with a known place. */
  readonly placed: PlacedPods[];
  /** Executors that may be taken away if there are more than the floor: running ones, and ones that never began to run. */
  readonly movable: PlacedExecutor[];
  /** The shapes of executors that were asked to leave and are not gone yet. */
  readonly leaving: Shape[];
}

export interface PlacedExecutor extends PlacedPods {
  readonly executor: PresentExecutor;
}

/** Pods that an application wants all together or not at all. */
export interface RoomRequest {
  readonly application: ApplicationAccount;
  readonly what: WaitKind;
  readonly pods: readonly Batch[];
  /** The sum of what the pods request. */
  readonly amounts: Amounts;
  /** The pods that no quota counts yet: all except a driver, because its pod already exists behind its gate. */
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
 * How many executors an application keeps, whatever others need: its minimum, which is promised, until that has been there
 * once; after that the floor of its queue.
 */
export function floorOf({ demand, queue: { floor } }: ApplicationAccount): number {
  return !demand.minimum.reached || floor === "minimum" ? minimumCount(demand) : Math.max(1, floor);
}

/** How many executors of its floor an application must still get: never more than its minimum. */
export function missingOfMinimum(account: ApplicationAccount): number {
  const { demand } = account;
  if (demand.driver.state === "gated") return 0;
  return Math.max(0, Math.min(minimumCount(demand), floorOf(account)) - standingExecutors(demand));
}

/** How many executors may be taken away so that the floor stays. */
export function surplusOf(account: ApplicationAccount): number {
  return Math.max(0, standingExecutors(account.demand) - floorOf(account));
}

/** The best way to take an executor away. One that never began to run loses nothing, but cannot be decommissioned. */
export function wayOut({ state, leave }: PresentExecutor): Leave {
  return state === "pending" && leave === "graceful" ? "deletion" : leave;
}

/**
 * The order in which executors of an application are taken away: the one that began to run last is first; then the one that
 * was created last.
 */
export function latestFirst(a: PresentExecutor, b: PresentExecutor): number {
  return beginOf(b) - beginOf(a) || b.id.length - a.id.length || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

/** When an executor began to run, for the order: one that has not begun counts as the latest. */
export function beginOf({ began }: PresentExecutor): number {
  return began ?? Number.MAX_SAFE_INTEGER;
}

/** The application's pods that would stay if all surplus executors were asked to leave. */
export function firmPods(account: ApplicationAccount): readonly PlacedPods[] {
  const latest = account.movable.toSorted((a, b) => latestFirst(a.executor, b.executor));
  const surplus = new Set<PlacedPods>(latest.slice(0, surplusOf(account)));
  return account.placed.filter((pods) => !surplus.has(pods));
}

/** The driver with its minimum executors. Larger pods come first, because small ones find room more easily afterwards. */
export function startRequest(
  application: ApplicationAccount,
  driver: Shape,
  executor: Shape,
  total: Resources,
): RoomRequest {
  const executors = [{ shape: executor, count: minimumCount(application.demand) }];
  const pods = [{ shape: driver, count: 1, isDriver: true }, ...executors].toSorted(
    (a, b) => dominantShare(b.shape.pod.requests, total) - dominantShare(a.shape.pod.requests, total),
  );
  return { application, what: "start", pods, amounts: amountsOf(requestsOf(pods)), uncounted: executors };
}

export function executorRequest(application: ApplicationAccount, what: WaitKind, shape: Shape): RoomRequest {
  const pods = [{ shape, count: 1 }];
  return { application, what, pods, amounts: shape.amounts, uncounted: pods };
}

function standingExecutors({ present }: ApplicationDemand): number {
  return present.filter(({ state }) => state !== "leaving").length;
}
