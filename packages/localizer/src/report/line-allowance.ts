/** How many lines may be written about something that happens again and again. */
export interface LineAllowance {
  /**
   * Whether one more may be written now.
   *
   * @param now milliseconds of a clock that only grows
   */
  take(now: number): boolean;
}

/** So many lines at once, and after that one each period. */
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
