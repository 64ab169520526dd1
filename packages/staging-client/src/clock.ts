/** Time as this package sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds that only ever grow, from an arbitrary start. */
  monotonic(): number;
  /** Calls back once after a delay; the result cancels that. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after a delay, or at once when the signal aborts: the caller looks at the signal. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const wake = (): void => {
      cancel();
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = clock.after(milliseconds, wake);
    signal?.addEventListener("abort", wake, { once: true });
  });
}
