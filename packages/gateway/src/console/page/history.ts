import type { Clock } from "@kindling/outside";
import type { ApplicationOverview } from "@kindling/gateway-client";

/** How many executors there were at a moment. */
export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly running: number;
  /** Admitted, and not running yet. */
  readonly starting: number;
  /** Not admitted. */
  readonly waiting: number;
}

export interface HistoryOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** How many samples are kept; older ones are dropped. */
  readonly most: number;
  readonly look: () => readonly Pick<ApplicationOverview, "executors">[];
}

/** Executors over time: a sample at regular intervals until it is stopped. */
export class History {
  readonly #options: HistoryOptions;
  readonly #samples: Sample[] = [];
  #cancel: () => void = () => undefined;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#later();
  }

  /** Oldest first. */
  get samples(): readonly Sample[] {
    return this.#samples;
  }

  stop(): void {
    this.#cancel();
  }

  #later(): void {
    const { clock, everyMs, most, look } = this.#options;
    this.#cancel = clock.after(everyMs, () => {
      this.#samples.push(sampleOf(clock.now(), look()));
      if (this.#samples.length > most) this.#samples.shift();
      this.#later();
    });
  }
}

/** Sums up the executors of all applications. */
export function sampleOf(at: number, applications: readonly Pick<ApplicationOverview, "executors">[]): Sample {
  let [running, starting, waiting] = [0, 0, 0];
  for (const { executors } of applications) {
    // Executors that were asked to leave are still running.
    running += executors.running + executors.leaving;
    starting += executors.admitted + executors.pending;
    waiting += executors.waiting;
  }
  return { at, running, starting, waiting };
}
