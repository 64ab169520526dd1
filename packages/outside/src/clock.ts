/** Time and timers, as an argument, so that tests can control them. */
export interface Clock {
  /** Milliseconds since the epoch; a change of the machine's time changes them. */
  now(): number;
  /** Milliseconds that only ever grow, from an arbitrary start: for measuring how long something took. */
  monotonic(): number;
  /** Calls back once after this many milliseconds; the returned function cancels that. */
  after(milliseconds: number, callback: () => void): () => void;
}

// Node keeps delays in 32 bits: a longer delay would end at once.
const LONGEST_DELAY = 0x7fff_ffff;

/** The machine's clock. A running timer keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): Node loads a dozen modules at its first use, which a short command would wait for.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_DELAY));
    return () => clearTimeout(timer);
  },
};

/** The machine's clock with timers that do not keep the process alive: for programs with servers or other work that do. */
export const backgroundClock: Clock = {
  ...systemClock,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_DELAY));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
