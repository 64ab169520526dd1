import type { Random } from "@kindling/outside";

export interface BackOffOptions {
  /** The first wait. */
  readonly baseMs: number;
  /** The longest one. */
  readonly capMs: number;
  /**
   * With it, waits are shortened at random, at most by half, so that keys that failed together are not tried again together.
   */
  readonly jitter?: Pick<Random, "fraction"> | undefined;
}

/** Computes how long a key must wait before it is tried again. */
export interface BackOff {
  /** Counts one more failure of a key. */
  delayMs(key: string): number;
  /** The key has succeeded. */
  forget(key: string): void;
}

/** Doubles the wait with each failure of the same key (client-go: ItemExponentialFailureRateLimiter). */
export function createBackOff({ baseMs, capMs, jitter }: BackOffOptions): BackOff {
  const failures = new Map<string, number>();
  return {
    delayMs(key) {
      const before = failures.get(key) ?? 0;
      failures.set(key, before + 1);
      const wait = Math.min(capMs, baseMs * 2 ** before);
      return jitter === undefined ? wait : wait * (0.5 + jitter.fraction() / 2);
    },
    forget: (key) => void failures.delete(key),
  };
}
