import type { Clock } from "@kindling/outside";

/** Answers that are kept for a while. */
export interface ExpiringCache<T> {
  /** The kept answer, or a new one; callers at the same time share it. A failure is not kept. */
  get(key: string, lifetimeSeconds: (value: T) => number, ask: () => Promise<T>): Promise<T>;
}

export function expiringCache<T>(clock: Clock, maxEntries: number): ExpiringCache<T> {
  const answers = new Map<string, { value: Promise<T>; until: number }>();
  return {
    get(key, lifetimeSeconds, ask) {
      const known = answers.get(key);
      if (known !== undefined && known.until > clock.monotonic()) return known.value;
      const answer = { value: ask(), until: Infinity };
      answers.delete(key);
      answers.set(key, answer);
      // Maps keep the order of insertion: the first key is the oldest answer.
      const [oldest] = answers.keys();
      if (answers.size > maxEntries && oldest !== undefined) answers.delete(oldest);
      answer.value.then(
        (value) => (answer.until = clock.monotonic() + lifetimeSeconds(value) * 1000),
        () => {
          if (answers.get(key) === answer) answers.delete(key);
        },
      );
      return answer.value;
    },
  };
}
