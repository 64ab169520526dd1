import type { Clock } from "@kindling/outside";

/** Thrown in waiting code when the pod's life is over. */
export class Stopped extends Error {}

/** Lets the steps of a pod's life wait, and can end all waits at once. */
export class Stopper {
  readonly #clock: Clock;
  readonly #controller = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stopped(): boolean {
    return this.#controller.signal.aborted;
  }

  stop(): void {
    this.#controller.abort();
  }

  /** @throws Stopped */
  async sleep(milliseconds: number): Promise<void> {
    this.check();
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        cancel();
        reject(new Stopped());
      };
      const cancel = this.#clock.after(milliseconds, () => {
        this.signal.removeEventListener("abort", abort);
        resolve();
      });
      this.signal.addEventListener("abort", abort, { once: true });
    });
  }

  /** @throws Stopped */
  check(): void {
    if (this.stopped) throw new Stopped();
  }
}

/** Delays that double from one failure to the next. */
export class Backoff {
  readonly #first: number;
  readonly #last: number;
  #next = 0;

  constructor(first: number, last: number) {
    this.#first = first;
    this.#last = last;
  }

  /** The delay before the next attempt, in milliseconds: no delay for the first if `free` says so. */
  next(free: boolean = false): number {
    const delay = this.#next;
    if (delay === 0 && free) {
      this.#next = this.#first;
      return 0;
    }
    const now = delay === 0 ? this.#first : delay;
    this.#next = Math.min(now * 2, this.#last);
    return now;
  }

  reset(): void {
    this.#next = 0;
  }
}
