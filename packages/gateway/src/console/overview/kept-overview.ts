import type { Clock } from "@kindling/outside";
import type { Overview } from "@kindling/gateway-client";

/** Whoever looks asks every few seconds, and may ask for several things at once: all of them see the same. */
const KEPT_MS = 1_000;

/** An overview that is made anew once a second at most, and only when somebody asks. */
export function keptOverview(clock: Clock, overview: () => Overview): () => Overview {
  let last: { readonly at: number; readonly overview: Overview } | undefined;
  return () => {
    const now = clock.monotonic();
    if (last === undefined || now - last.at >= KEPT_MS) last = { at: now, overview: overview() };
    return last.overview;
  };
}
