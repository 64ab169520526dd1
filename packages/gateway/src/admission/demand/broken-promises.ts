import type { Clock } from "@kindling/outside";

interface Broken {
  count: number;
  /** The last time, by the monotonic clock. */
  at: number;
}

/** Tenants can create any number of accounts, so only the latest ones are remembered. */
const MOST_ACCOUNTS = 1_000;
const REMEMBERED_MS = 3_600_000;
const LONGEST_MS = 3_600_000;

/**
 * Counts how often drivers of an account did not ask for executors for which room was kept. Forgotten an hour after the last
 * time.
 */
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

  /** `ms`, doubled for each broken promise after the first, at most an hour; 0 if there was none. */
  times(account: string, ms: number): number {
    const count = this.count(account);
    return count === 0 ? 0 : Math.min(LONGEST_MS, ms * 2 ** (count - 1));
  }
}
