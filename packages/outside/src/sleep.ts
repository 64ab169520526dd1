import { setMaxListeners } from "node:events";
import type { Clock } from "./clock.ts";

/** Resolves after a delay, or at once when one of the signals aborts: the caller checks them. */
export function sleep(
  clock: Pick<Clock, "after">,
  milliseconds: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some((signal) => signal?.aborted === true)) {
      resolve();
      return;
    }
    const wake = (): void => {
      cancel();
      for (const signal of signals) signal?.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = clock.after(milliseconds, wake);
    for (const signal of signals) {
      if (signal === undefined) continue;
      // Many sleepers may share a signal; Node 20 warns of a leak from eleven listeners on, later versions do not.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", wake, { once: true });
    }
  });
}
