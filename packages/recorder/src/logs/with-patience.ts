import { setMaxListeners } from "node:events";
import type { Clock } from "@kindling/outside";

/**
 * Does something with a signal that comes after a time, or with another signal. `AbortSignal.any` and `AbortSignal.timeout` do
 * the same, but thousands of them at once cost a tenth of a processor.
 */
export async function withPatience<T>(
  clock: Clock,
  milliseconds: number,
  stop: AbortSignal,
  work: (patience: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = new AbortController();
  const end = (): void => patience.abort();
  const cancel = clock.after(milliseconds, end);
  setMaxListeners(0, stop);
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  try {
    return await work(patience.signal);
  } finally {
    cancel();
    stop.removeEventListener("abort", end);
  }
}
