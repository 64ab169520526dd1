import type { Clock } from "@kindling/outside";

export interface PlanTimerOptions {
  readonly clock: Clock;
  /** Whether it is to be called again though nothing has changed: what waits may be due by time alone. */
  readonly plan: () => { readonly waits: boolean };
}

/** Not more often than this, however much happens. */
const SHORTEST_MS = 100;
/** Plans take no more than a sixteenth of the time: nothing else is done meanwhile. */
const REST = 15;
/** While something waits. */
const AGAIN_MS = 30_000;

/** Makes a plan soon after something has changed: one for all that comes in one turn of the event loop, and a few in a second. */
export class PlanTimer {
  readonly #options: PlanTimerOptions;
  #earliest = Number.NEGATIVE_INFINITY;
  #isDue = false;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  constructor(options: PlanTimerOptions) {
    this.#options = options;
  }

  /** Called whenever something has changed that a plan may depend on. */
  soon(): void {
    if (this.#isDue || this.#isStopped) return;
    this.#isDue = true;
    this.#cancel();
    const wait = this.#earliest - this.#options.clock.monotonic();
    if (wait > 0) this.#cancel = this.#options.clock.after(wait, () => this.#plan());
    else setImmediate(() => this.#plan());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #plan(): void {
    if (this.#isStopped) return;
    const { clock, plan } = this.#options;
    this.#isDue = false;
    const began = clock.monotonic();
    const { waits } = plan();
    const took = clock.monotonic() - began;
    this.#earliest = began + took + Math.max(SHORTEST_MS, REST * took);
    // It may have been asked for meanwhile.
    if (waits && !this.#isDue) this.#cancel = clock.after(AGAIN_MS, () => this.soon());
  }
}
