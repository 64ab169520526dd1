import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";

export interface CacheOptions {
  readonly clock: Clock;
  /** How long an answer is kept, also the answer that there is nothing. Default: 60 s. */
  readonly milliseconds?: number;
  /** The number of clusters and namespaces to keep answers for. Default: 1,000. */
  readonly most?: number;
}

interface Kept<T> {
  readonly at: number;
  readonly answer: Promise<T>;
}

/**
 * Asks a cluster the same question only once in a while. Calls wait for an answer that is already on its way. Failures are not
 * kept.
 *
 * @returns asks, unless the answer to this question is known. The signal of one caller must not end the request: if that
 *   caller gives up, the others still need the answer
 */
export function cachedAnswers<T>({
  clock,
  milliseconds = 60_000,
  most = 1000,
}: CacheOptions): (client: KubeClient, question: readonly unknown[], ask: () => Promise<T>) => Promise<T> {
  const all = new Map<string, Kept<T>>();
  return (client, question, ask) => {
    const key = JSON.stringify([client.access.server, ...question]);
    const known = all.get(key);
    if (known !== undefined && clock.monotonic() - known.at < milliseconds) return known.answer;
    const kept = { at: clock.monotonic(), answer: ask() };
    all.delete(key);
    all.set(key, kept);
    kept.answer.catch(() => {
      if (all.get(key) === kept) all.delete(key);
    });
    const [oldest] = all.keys();
    if (all.size > most && oldest !== undefined) all.delete(oldest);
    return kept.answer;
  };
}
