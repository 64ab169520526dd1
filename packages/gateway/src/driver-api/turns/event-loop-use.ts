import { performance } from "node:perf_hooks";
import type { Clock } from "@kindling/outside";

/** The shortest time that says something. */
const WINDOW_MS = 40;

/** Which part of the last moments the event loop had something to do, between 0 and 1. */
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
