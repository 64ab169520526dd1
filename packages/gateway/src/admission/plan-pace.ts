import type { Clock } from "@kindling/outside";

/** The shortest time between two plans. */
const SHORTEST_MS = 100;
/** Plans take at most a sixteenth of the time, because they block everything else. */
const REST = 15;

/** Decides how soon the next plan may be made: a few per second, with a pause after each that depends on how long it took. */
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
