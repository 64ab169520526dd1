import type { PodState } from "@kindling/diagnosis";
import type { Clock } from "@kindling/outside";
import type { RunPlace } from "@kindling/recorder-client";
import { hasEnded, type SparkPod } from "../cluster/spark-pod.ts";
import { RunSecrets } from "../secrets/run-secrets.ts";
import type { RunSpool } from "../spool/run-spool.ts";

/** The executors that ended last are kept whole, for the verdict. */
const MOST_ENDED = 8;

/** A run that goes on, or has ended and is not stored yet. */
export class RunProgress {
  readonly place: RunPlace;
  readonly spool: RunSpool;
  readonly attempt: number;
  /** What may not be kept of it. */
  readonly secrets: RunSecrets = new RunSecrets();
  #driver: SparkPod;
  #isGone = false;
  #endSeen: number | undefined;
  /** The same on a clock that nobody sets. */
  #overSince: number | undefined;
  /** What is missing of the driver's log; `undefined` if nothing is. */
  logGap: string | undefined;
  /** Whether nothing more of the driver's log can come. */
  isLogRead = false;
  /** By uid: executors that exist. */
  readonly executors: Map<string, SparkPod> = new Map<string, SparkPod>();
  /** The uids of executors whose pods were gone before their logs were read. */
  readonly gone: Set<string> = new Set<string>();
  /** The uids of executors whose pods were gone when this process began: nobody has seen how they ended. */
  readonly unseen: Set<string> = new Set<string>();
  readonly #endedLast: PodState[] = [];

  constructor({ place, spool, attempt, driver }: Pick<RunProgress, "place" | "spool" | "attempt" | "driver">) {
    this.place = place;
    this.spool = spool;
    this.attempt = attempt;
    this.#driver = driver;
  }

  /** The driver's pod, as it was seen last. */
  get driver(): SparkPod {
    return this.#driver;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** The time at which it was seen that it has ended, milliseconds since the epoch. */
  get endSeen(): number | undefined {
    return this.#endSeen;
  }

  /** Whether Spark in the driver's pod has ended, or the pod is gone. */
  get isOver(): boolean {
    return this.#isGone || hasEnded(this.#driver);
  }

  /**
   * The driver's pod was seen. Its end and the time of it are noted at once: what waits for a while after the end must not take a
   * run whose end was seen a moment ago for one that is over for ever.
   */
  driverSeen(pod: SparkPod, isDeleted: boolean, clock: Pick<Clock, "now" | "monotonic">): void {
    this.#driver = pod;
    this.#isGone ||= isDeleted;
    if (!this.isOver) return;
    this.#endSeen ??= clock.now();
    this.#overSince ??= clock.monotonic();
  }

  /** For how many milliseconds it is over; 0 if it is not. */
  overFor(clock: Pick<Clock, "monotonic">): number {
    return this.#overSince === undefined ? 0 : clock.monotonic() - this.#overSince;
  }

  executorEnded({ state }: SparkPod): void {
    this.#endedLast.push(state);
    if (this.#endedLast.length > MOST_ENDED) this.#endedLast.shift();
  }

  /** Executors for a verdict: those that exist, and those that ended last. */
  examined(): readonly PodState[] {
    return [...this.#endedLast, ...Array.from(this.executors.values(), ({ state }) => state)];
  }
}
