import type { Clock } from "../../src/clock.ts";

export interface ManualClock extends Clock {
  /** Lets time pass; timers fire in their order, and what they set off runs before the next one. */
  advance(milliseconds: number): Promise<void>;
}

export function manualClock(): ManualClock {
  let now = 0;
  let timers: { at: number; callback: () => void }[] = [];
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    monotonic: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((each) => each !== next);
        now = next.at;
        next.callback();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
