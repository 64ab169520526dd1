import type { Clock } from "@kindling/outside";

export interface BackoffOptions {
  readonly baseMs: number;
  readonly capMs: number;
  /** After so long without a fault it starts from the base again. */
  readonly resetAfterMs: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Waiting times that double with each fault in a row. */
export interface Backoff {
  /** How long to wait after one more fault, in milliseconds: between half of the current step and all of it. */
  next(): number;
  reset(): void;
}

export function createBackoff(options: BackoffOptions): Backoff {
  let step = options.baseMs;
  let lastFault = Number.NEGATIVE_INFINITY;
  return {
    next() {
      const now = options.clock.now();
      if (now - lastFault > options.resetAfterMs) step = options.baseMs;
      lastFault = now;
      const wait = step * (0.5 + options.random() / 2);
      step = Math.min(options.capMs, step * 2);
      return wait;
    },
    reset() {
      step = options.baseMs;
    },
  };
}
