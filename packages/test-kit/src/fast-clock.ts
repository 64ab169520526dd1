import { systemClock, type Clock } from "@kindling/outside";

/** A clock on which everything takes a fraction of the time: waits of seconds become short enough for a test. */
export function fastClock(factor: number): Clock {
  const start = systemClock.now();
  const startMonotonic = systemClock.monotonic();
  return {
    now: () => start + (systemClock.now() - start) * factor,
    monotonic: () => (systemClock.monotonic() - startMonotonic) * factor,
    after: (milliseconds, callback) => systemClock.after(milliseconds / factor, callback),
  };
}
