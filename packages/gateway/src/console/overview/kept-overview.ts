import type { Clock } from "@kindling/outside";
import type { Overview } from "@kindling/gateway-client";

/** A browser asks every few seconds, and may ask for several things at once. All of them must see the same state. */
const KEPT_MS = 1_000;

/** An overview that is computed at most once a second, and only when it is requested. */
export function keptOverview(clock: Clock, overview: () => Overview): () => Overview {
  let last: { readonly at: number; readonly overview: Overview } | undefined;
  return () => {
    const now = clock.monotonic();
    if (last === undefined || now - last.at >= KEPT_MS) last = { at: now, overview: overview() };
    return last.overview;
  };
}
