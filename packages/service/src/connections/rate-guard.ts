/** Distinguishes a slow sender from one that blocks the server on purpose. */
export interface RateGuard {
  count(bytes: number): void;
  /**
   * Must be called once a tick.
   *
   * @param waiting whether this side did not read, so that the sender could not send
   * @returns `false` once the sender has been too slow for a whole window of ticks in which this side read
   */
  tick(waiting: boolean): boolean;
}

export interface RateLimit {
  readonly minBytesPerSecond: number;
  readonly windowSeconds: number;
}

export const TICKS_PER_WINDOW = 6;

export function rateGuard(limit: RateLimit): RateGuard {
  const perTick = (limit.minBytesPerSecond * limit.windowSeconds) / TICKS_PER_WINDOW;
  const ticks: number[] = [];
  let bytes = 0;
  return {
    count(more) {
      bytes += more;
    },
    tick(waiting) {
      // Only ticks in which this side reads are judged; bytes that come in other ticks count with the next one.
      if (waiting) return true;
      ticks.push(bytes);
      bytes = 0;
      if (ticks.length < TICKS_PER_WINDOW) return true;
      const sum = ticks.reduce((total, each) => total + each, 0);
      ticks.shift();
      return sum >= perTick * TICKS_PER_WINDOW;
    },
  };
}
