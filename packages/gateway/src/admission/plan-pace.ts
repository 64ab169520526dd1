import type { Clock } from "@kindling/outside";

/** Not more often than this, however much happens. */
const SHORTEST_MS = 100;
/** Plans take no more than a sixteenth of the time: nothing else is done meanwhile. */
const REST = 15;

/** How soon the next plan may be made: a few in a second, and with a rest that is as long as they take. */
export class PlanPace {
  readonly #clock: Clock;
  #earliest = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long to wait for the next plan; 0 or less if it may be made now. */
  get waitMs(): number {
    return this.#earliest - this.#clock.monotonic();
  }

  /** Makes a plan. */
  run<T>(plan: () => T): T {
    const began = this.#clock.monotonic();
    const result = plan();
    const took = this.#clock.monotonic() - began;
    this.#earliest = began + took + Math.max(SHORTEST_MS, REST * took);
    return result;
  }
}
