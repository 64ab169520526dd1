/** Limits the lines that are written about a repeated event. */
export interface LineAllowance {
  /**
   * Whether one more line may be written now.
   *
   * @param now milliseconds of a monotonic clock
   */
  take(now: number): boolean;
}

/** Allows a number of lines at once, and after that one line in each period. */
export function lineAllowance(lines: number, periodMs: number): LineAllowance {
  let left = lines;
  let since: number | undefined;
  return {
    take(now) {
      since ??= now;
      const periods = Math.floor((now - since) / periodMs);
      left = Math.min(lines, left + periods);
      since += periods * periodMs;
      if (left === 0) return false;
      left--;
      return true;
    },
  };
}
