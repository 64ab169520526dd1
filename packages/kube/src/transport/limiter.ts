/** Lets so many tasks run at once; further ones wait in order of arrival. */
export interface Limiter {
  /** Takes a place; resolves to false when the signal aborted first. */
  enter(signal: AbortSignal | undefined): boolean | Promise<boolean>;
  /** Gives the place to the next in line. */
  leave(): void;
}

export function createLimiter(limit: number): Limiter {
  const waiting = new Set<() => void>();
  let running = 0;

  return {
    enter(signal) {
      if (running < limit) {
        running++;
        return true;
      }
      return new Promise<boolean>((resolve) => {
        const abort = (): void => {
          waiting.delete(admit);
          resolve(false);
        };
        const admit = (): void => {
          signal?.removeEventListener("abort", abort);
          resolve(true);
        };
        if (signal?.aborted === true) {
          resolve(false);
          return;
        }
        signal?.addEventListener("abort", abort, { once: true });
        waiting.add(admit);
      });
    },
    leave() {
      const [next] = waiting;
      if (next === undefined) {
        running--;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
