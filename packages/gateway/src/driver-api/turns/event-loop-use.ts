import { performance } from "node:perf_hooks";
import type { Clock } from "@kindling/outside";

/** The shortest time that can be measured usefully. */
const WINDOW_MS = 40;

/** How busy the event loop was in the last moments, between 0 and 1. */
export function eventLoopUse(clock: Clock): () => number {
  let since = clock.monotonic();
  let before = performance.eventLoopUtilization();
  let last = 0;
  return () => {
    const now = clock.monotonic();
    if (now - since < WINDOW_MS) return last;
    const current = performance.eventLoopUtilization();
    last = performance.eventLoopUtilization(current, before).utilization;
    [since, before] = [now, current];
    return last;
  };
}
