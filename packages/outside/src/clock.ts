/** Time and its timers, as an argument, so that tests can turn the hands. */
export interface Clock {
  /** Milliseconds since the epoch; a change of the machine's time changes them. */
  now(): number;
  /** Milliseconds that only ever grow, from an arbitrary start: for measuring how long something took. */
  monotonic(): number;
  /** Calls back once after so many milliseconds; the result cancels that. */
  after(milliseconds: number, callback: () => void): () => void;
}

// Node keeps delays in 32 bits: a longer one would be over at once.
const LONGEST_DELAY = 0x7fff_ffff;

/** The machine's clock. A timer that runs keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): Node loads a dozen modules at its first use, which a short command would wait for.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_DELAY));
    return () => clearTimeout(timer);
  },
};

/** The machine's clock, whose timers keep no process alive: for what has servers or other work that do. */
export const backgroundClock: Clock = {
  ...systemClock,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_DELAY));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
