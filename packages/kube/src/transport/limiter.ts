/** Limits how many tasks run at once; further ones wait in order of arrival. */
export interface Limiter {
  /** Takes a place; resolves to false when the signal aborted first. */
  enter(signal: AbortSignal | undefined): boolean | Promise<boolean>;
  /** Gives the place to the next in line. */
  leave(): void;
}

interface Waiting {
  isGone: boolean;
  readonly admit: () => void;
}

export function createLimiter(limit: number): Limiter {
  const waiting: Waiting[] = [];
  let running = 0;

  function waitForPlace(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise<boolean>((resolve) => {
      const abort = (): void => {
        entry.isGone = true;
        resolve(false);
      };
      const entry: Waiting = {
        isGone: false,
        admit: () => {
          signal?.removeEventListener("abort", abort);
          resolve(true);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      waiting.push(entry);
    });
  }

  return {
    enter(signal) {
      if (signal?.aborted === true) return false;
      if (running >= limit) return waitForPlace(signal);
      running++;
      return true;
    },
    leave() {
      let next = waiting.shift();
      while (next?.isGone === true) next = waiting.shift();
      if (next === undefined) running--;
      else next.admit();
    },
  };
}
