import type { Clock } from "@kindling/outside";

/** Limits requests to so many per second, after a burst. Returns how long the next one must wait, in milliseconds. */
export function rateLimit(
  clock: Clock,
  { perSecond, burst }: { readonly perSecond: number; readonly burst: number },
): () => number {
  let tokens = burst;
  let updated = clock.now();
  return () => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - updated) / 1000) * perSecond) - 1;
    updated = now;
    return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
  };
}
