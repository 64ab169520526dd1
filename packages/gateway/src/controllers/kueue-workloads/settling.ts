import type { Clock } from "@kindling/outside";

interface Seen {
  readonly count: number;
  readonly changedAt: number;
  /** Since when it has been changing. */
  readonly since: number;
}

/** A driver asks for its executors one by one, some milliseconds apart. */
const QUIET_MS = 60;
/** Nothing is put off for longer than this. */
const LONGEST_MS = 300;

/** Tells whether numbers that grow step by step have stopped growing, so that one request is enough for all steps. */
export class Settling {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long to wait until the number is looked at again; 0 if it has settled. */
  waitMs(key: string, count: number): number {
    const now = this.#clock.monotonic();
    const before = this.#seen.get(key);
    const isNew = before?.count !== count;
    const wasQuiet = before === undefined || now - before.changedAt >= QUIET_MS;
    const seen = {
      count,
      changedAt: isNew ? now : before.changedAt,
      since: isNew && wasQuiet ? now : (before?.since ?? now),
    };
    this.#seen.set(key, seen);
    return Math.max(0, Math.min(seen.changedAt + QUIET_MS, seen.since + LONGEST_MS) - now);
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}
