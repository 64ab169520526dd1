import { systemClock, type Clock } from "@kindling/outside";

/** The machine's clock, which can be set forward: timers that are due by then fire at once. */
export class AdjustableClock implements Clock {
  #aheadMs = 0;
  readonly #alarms = new Set<{ readonly atMs: number; readonly ring: () => void }>();

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#aheadMs;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const stop = (): void => {
      cancel();
      this.#alarms.delete(alarm);
    };
    const ring = (): void => {
      stop();
      callback();
    };
    const alarm = { atMs: this.monotonic() + milliseconds, ring };
    const cancel = systemClock.after(milliseconds, ring);
    this.#alarms.add(alarm);
    return stop;
  }

  forward(milliseconds: number): void {
    this.#aheadMs += milliseconds;
    for (const { atMs, ring } of this.#alarms) if (atMs <= this.monotonic()) ring();
  }
}
