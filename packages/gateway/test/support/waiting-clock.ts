import { type Clock, ManualClock, systemClock } from "@kindling/outside";

const SHORT_MS = 1_000;

/** Waits of a second or more end only when a test moves the time. Shorter ones end by themselves. */
export class WaitingClock implements Clock {
  readonly #manual = new ManualClock(0);

  now(): number {
    return systemClock.now() + this.#manual.now();
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#manual.now();
  }

  after(milliseconds: number, callback: () => void): () => void {
    return (milliseconds < SHORT_MS ? systemClock : this.#manual).after(milliseconds, callback);
  }

  async advance(milliseconds: number): Promise<void> {
    await this.#manual.advance(milliseconds);
  }
}
