import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import { objectsAt, textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { BrokenPromises } from "./broken-promises.ts";

/** A driver for which room may be kept for executors that it has not asked for yet. All times are by the monotonic clock. */
export interface Promised {
  readonly driver: KubeObject;
  /** When the driver sent its first request to the gateway: its SparkContext existed then. */
  readonly talkedAt: number | undefined;
  /** How many executors the driver has asked for, as far as it is known; waiting ones included. */
  readonly asked: number;
  readonly minimum: number;
}

interface Kept {
  readonly account: string;
  readonly seenAt: number;
  askedAt: number | undefined;
  /** The most executors that it has had at one time: giving one back and asking for it again is no progress. */
  asked: number;
  /** Whether it has let the time pass once. */
  hasBroken: boolean;
  /** When it is looked at again. */
  wakesAt: number;
  cancel: () => void;
}

export interface PromisesOptions {
  readonly clock: Clock;
  /** How long a running driver may take until it asks. */
  readonly seconds: number;
  /** Called when a driver may have taken too long. */
  readonly onDue: () => void;
}

/** A driver with a SparkContext asks within a second or two, and then for a batch each second. */
const PART_AFTER_TALK = 4;
/** Until a driver runs, images are pulled and files are fetched. */
const TIMES_BEFORE_IT_RUNS = 10;
const MOST_HALVINGS = 4;

/**
 * Decides how long room is kept for the minimum executors of a started driver that has not asked for them. If drivers of an
 * account let this time pass, the account's next drivers get less time and are moved back behind others. A new gateway begins
 * with nothing.
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

  /** Whether a started driver has taken too long to ask. If it asks later, room is kept for it again. */
  hasLapsed({ driver, talkedAt, asked, minimum }: Promised): boolean {
    const now = this.#options.clock.monotonic();
    const kept = this.#of(driver, now);
    if (asked > kept.asked) {
      kept.asked = asked;
      kept.askedAt = now;
    }
    if (kept.asked >= minimum) {
      // A slow driver means no harm: if it asks for all executors in the end, it is treated as if it had been in time.
      if (kept.hasBroken) this.#broken.forgive(kept.account);
      kept.hasBroken = false;
      return false;
    }
    const end = this.#end(kept, talkedAt, driver, now);
    if (now < end) {
      this.#wake(kept, end, now);
      return false;
    }
    // Requests to an earlier gateway are not known, so this is not counted against the account.
    if (!kept.hasBroken && this.#hasSeenAll(driver, now)) {
      this.#broken.add(kept.account);
      kept.hasBroken = true;
    }
    return true;
  }

  /** How much longer than others the drivers of this account wait, in milliseconds. */
  behindMs(driver: KubeObject): number {
    return this.#broken.times(accountOf(driver), this.#options.seconds * 1000);
  }

  /** Forgets all drivers except these, by uid. */
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
    // The driver's own failure is not counted twice.
    const times = Math.min(MOST_HALVINGS, this.#broken.count(account) - (hasBroken ? 1 : 0));
    const graceMs = (this.#options.seconds * 1000) / 2 ** Math.max(0, times);
    if (talkedAt !== undefined) return Math.max(talkedAt, askedAt ?? talkedAt) + graceMs / PART_AFTER_TALK;
    const runsFor = runningMs(driver, this.#options.clock.now());
    if (runsFor === undefined) return seenAt + graceMs * TIMES_BEFORE_IT_RUNS;
    return Math.max(this.#began, now - runsFor) + graceMs;
  }

  /** Whether the driver began to run only after this gateway had started. */
  #hasSeenAll(driver: KubeObject, now: number): boolean {
    const runsFor = runningMs(driver, this.#options.clock.now());
    return runsFor === undefined || now - runsFor >= this.#began;
  }

  /** Plans are made when something changes. Passing time is no change, so a timer is needed. */
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

/** How long the driver's container has run. The pod started earlier: it pulled images and ran init containers first. */
function runningMs(driver: KubeObject, now: number): number | undefined {
  if (textAt(driver, "status", "phase") !== "Running") return undefined;
  const starts = objectsAt(driver, "status", "containerStatuses").flatMap(
    (status) => timeOf(textAt(status, "state", "running", "startedAt")) ?? [],
  );
  const began = starts.length > 0 ? Math.max(...starts) : timeOf(textAt(driver, "status", "startTime"));
  return began === undefined ? undefined : Math.max(0, now - began);
}
