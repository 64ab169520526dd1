import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import { objectsAt, textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { BrokenPromises } from "./broken-promises.ts";

/** A driver that may have room kept for executors that it has not asked for. All times are of the clock that only goes forward. */
export interface Promised {
  readonly driver: KubeObject;
  /** When it asked the gateway for anything first: its SparkContext was there then. */
  readonly talkedAt: number | undefined;
  /** How many executors it has asked for, as far as one can tell: those that wait included. */
  readonly asked: number;
  readonly minimum: number;
}

interface Kept {
  readonly account: string;
  readonly seenAt: number;
  askedAt: number | undefined;
  /** The most that it has had at one time: one that is given back and asked for again is no progress. */
  asked: number;
  /** Whether it has once let the time go by. */
  hasBroken: boolean;
  /** When it is looked at again. */
  wakesAt: number;
  cancel: () => void;
}

export interface PromisesOptions {
  readonly clock: Clock;
  /** How long a driver that runs may take until it asks. */
  readonly seconds: number;
  /** Called when some driver may have taken too long. */
  readonly onDue: () => void;
}

/** One whose SparkContext is there asks within a second or two, and then for a batch each second. */
const PART_AFTER_TALK = 4;
/** Until a driver runs, images are pulled and files are fetched. */
const TIMES_BEFORE_IT_RUNS = 10;
const MOST_HALVINGS = 4;

/**
 * How long room is kept for the minimum executors of a started driver that it does not ask for. An account whose drivers let
 * that time go by gets less of it for its next ones, and goes behind others with them. A gateway that starts begins anew.
 */
export class Promises {
  readonly #options: PromisesOptions;
  readonly #broken: BrokenPromises;
  readonly #began: number;
  readonly #kept = new Map<string, Kept>();

  constructor(options: PromisesOptions) {
    this.#options = options;
    this.#broken = new BrokenPromises(options.clock);
    this.#began = options.clock.monotonic();
  }

  /** Whether a started driver has not asked for too long. Room is kept again for one that asks after that. */
  hasLapsed({ driver, talkedAt, asked, minimum }: Promised): boolean {
    const now = this.#options.clock.monotonic();
    const kept = this.#of(driver, now);
    if (asked > kept.asked) {
      kept.asked = asked;
      kept.askedAt = now;
    }
    if (kept.asked >= minimum) {
      // Slow is not hostile: one that asks for all in the end is as one that was in time.
      if (kept.hasBroken) this.#broken.forgive(kept.account);
      kept.hasBroken = false;
      return false;
    }
    const end = this.#end(kept, talkedAt, driver, now);
    if (now < end) {
      this.#wake(kept, end, now);
      return false;
    }
    // What was asked of a gateway before this one is not known, and not held against anybody.
    if (!kept.hasBroken && this.#hasSeenAll(driver, now)) {
      this.#broken.add(kept.account);
      kept.hasBroken = true;
    }
    return true;
  }

  /** How much longer the drivers of an account wait than others, in milliseconds. */
  behindMs(driver: KubeObject): number {
    return this.#broken.times(accountOf(driver), this.#options.seconds * 1000);
  }

  /** Forgets all drivers but these, by uid. */
  keep(uids: ReadonlySet<string>): void {
    for (const [uid, { cancel }] of this.#kept) {
      if (uids.has(uid)) continue;
      cancel();
      this.#kept.delete(uid);
    }
  }

  stop(): void {
    this.keep(new Set());
  }

  #of(driver: KubeObject, now: number): Kept {
    const { uid } = driver.metadata;
    const known = this.#kept.get(uid);
    if (known !== undefined) return known;
    const kept: Kept = {
      ...{ account: accountOf(driver), seenAt: now, askedAt: undefined, asked: 0, hasBroken: false },
      ...{ wakesAt: Number.POSITIVE_INFINITY, cancel: () => undefined },
    };
    this.#kept.set(uid, kept);
    return kept;
  }

  #end(
    { account, seenAt, askedAt, hasBroken }: Kept,
    talkedAt: number | undefined,
    driver: KubeObject,
    now: number,
  ): number {
    // Its own failure is not held against it twice.
    const times = Math.min(MOST_HALVINGS, this.#broken.count(account) - (hasBroken ? 1 : 0));
    const graceMs = (this.#options.seconds * 1000) / 2 ** Math.max(0, times);
    if (talkedAt !== undefined) return Math.max(talkedAt, askedAt ?? talkedAt) + graceMs / PART_AFTER_TALK;
    const runsFor = runningMs(driver, this.#options.clock.now());
    if (runsFor === undefined) return seenAt + graceMs * TIMES_BEFORE_IT_RUNS;
    return Math.max(this.#began, now - runsFor) + graceMs;
  }

  /** Whether the driver has not run before this gateway began. */
  #hasSeenAll(driver: KubeObject, now: number): boolean {
    const runsFor = runningMs(driver, this.#options.clock.now());
    return runsFor === undefined || now - runsFor >= this.#began;
  }

  /** Plans are made when something changes, and time that goes by is no change. */
  #wake(kept: Kept, at: number, now: number): void {
    if (kept.wakesAt <= at) return;
    kept.cancel();
    kept.wakesAt = at;
    kept.cancel = this.#options.clock.after(at - now, () => {
      kept.wakesAt = Number.POSITIVE_INFINITY;
      this.#options.onDue();
    });
  }
}

function accountOf(driver: KubeObject): string {
  return `${driver.metadata.namespace}/${textAt(driver, "spec", "serviceAccountName") ?? "default"}`;
}

/** How long the driver's container has run; the pod has begun before that, with its images and init containers. */
function runningMs(driver: KubeObject, now: number): number | undefined {
  if (textAt(driver, "status", "phase") !== "Running") return undefined;
  const starts = objectsAt(driver, "status", "containerStatuses").flatMap(
    (status) => timeOf(textAt(status, "state", "running", "startedAt")) ?? [],
  );
  const began = starts.length > 0 ? Math.max(...starts) : timeOf(textAt(driver, "status", "startTime"));
  return began === undefined ? undefined : Math.max(0, now - began);
}
