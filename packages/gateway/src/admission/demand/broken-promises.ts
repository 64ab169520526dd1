import type { Clock } from "@kindling/outside";

interface Broken {
  count: number;
  /** The last time, on the clock that only goes forward. */
  at: number;
}

/** Accounts are made by tenants, so that only so many are remembered: the latest. */
const MOST_ACCOUNTS = 1_000;
const REMEMBERED_MS = 3_600_000;
const LONGEST_MS = 3_600_000;

/** How often drivers of an account did not ask for executors that room was kept for. Forgotten an hour after the last time. */
export class BrokenPromises {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Broken>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(account: string): void {
    const count = this.count(account) + 1;
    this.#accounts.delete(account);
    this.#accounts.set(account, { count, at: this.#clock.monotonic() });
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > MOST_ACCOUNTS && oldest !== undefined) this.#accounts.delete(oldest);
  }

  /** Takes one time back. */
  forgive(account: string): void {
    const broken = this.#accounts.get(account);
    if (broken === undefined) return;
    broken.count -= 1;
    if (broken.count <= 0) this.#accounts.delete(account);
  }

  count(account: string): number {
    const broken = this.#accounts.get(account);
    if (broken === undefined) return 0;
    if (this.#clock.monotonic() - broken.at <= REMEMBERED_MS) return broken.count;
    this.#accounts.delete(account);
    return 0;
  }

  /** A time that is doubled by each time after the first, an hour at most; 0 without any. */
  times(account: string, ms: number): number {
    const count = this.count(account);
    return count === 0 ? 0 : Math.min(LONGEST_MS, ms * 2 ** (count - 1));
  }
}
