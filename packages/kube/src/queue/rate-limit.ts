import type { Clock } from "@kindling/outside";

/** Says how long a key has to wait before it is tried again. */
export interface RateLimiter<K> {
  /** Counts one more failure of a key; answers the wait in milliseconds. */
  delayMs(key: K): number;
  /** The key has succeeded. */
  forget(key: K): void;
  failures(key: K): number;
}

/** Doubles the wait with each failure of the same key. client-go: 5 ms to 1000 s. */
export function perKeyBackoff<K>(baseMs = 5, capMs = 1_000_000): RateLimiter<K> {
  const counts = new Map<K, number>();
  return {
    delayMs(key) {
      const failures = counts.get(key) ?? 0;
      counts.set(key, failures + 1);
      return Math.min(capMs, baseMs * 2 ** failures);
    },
    forget: (key) => void counts.delete(key),
    failures: (key) => counts.get(key) ?? 0,
  };
}

/** Lets so many keys a second pass, whichever they are, after a burst. client-go: 10 a second after 100. */
export function overallLimit<K>(clock: Clock, perSecond = 10, burst = 100): RateLimiter<K> {
  let tokens = burst;
  let updated = clock.now();
  return {
    delayMs() {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - updated) / 1000) * perSecond) - 1;
      updated = now;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
    forget: () => undefined,
    failures: () => 0,
  };
}

/** The longest wait of several. */
export function slowestOf<K>(...limiters: readonly RateLimiter<K>[]): RateLimiter<K> {
  return {
    delayMs: (key) => Math.max(...limiters.map((limiter) => limiter.delayMs(key))),
    forget: (key) => limiters.forEach((limiter) => limiter.forget(key)),
    failures: (key) => Math.max(...limiters.map((limiter) => limiter.failures(key))),
  };
}
