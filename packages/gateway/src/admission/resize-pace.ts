import type { Clock } from "@kindling/outside";

/**
 * The shortest time between two resizes of one application: Spark's plug-in asks once a minute for each executor that is
 * nearly full.
 */
const BETWEEN_MS = 500;
/** All decisions together take at most a tenth of the time. */
const REST = 9;
const MOST_KNOWN = 1_000;

/** Limits how often resizes are decided: each decision takes as long as a plan. */
export class ResizePace {
  readonly #clock: Clock;
  #restUntil = Number.NEGATIVE_INFINITY;
  readonly #lastOf = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Decides, unless it is too soon for the application: then the result is undefined. */
  paced<T>(application: string, decide: () => T): T | undefined {
    const began = this.#clock.monotonic();
    const last = this.#lastOf.get(application) ?? Number.NEGATIVE_INFINITY;
    if (began < this.#restUntil || began < last + BETWEEN_MS) return undefined;
    this.#note(application, began);
    try {
      return decide();
    } finally {
      const ended = this.#clock.monotonic();
      this.#restUntil = ended + (ended - began) * REST;
    }
  }

  /** The applications that asked longest ago are first in the map. */
  #note(application: string, now: number): void {
    this.#lastOf.delete(application);
    this.#lastOf.set(application, now);
    const [oldest] = this.#lastOf.keys();
    if (this.#lastOf.size > MOST_KNOWN && oldest !== undefined) this.#lastOf.delete(oldest);
  }
}
