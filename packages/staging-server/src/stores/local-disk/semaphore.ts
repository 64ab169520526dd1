/** Lets a limited number of tasks run at once; the others wait for their turn, first come, first served. */
export interface Semaphore {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Takes a place without waiting; the result gives it back. `undefined` if there is none. */
  tryAcquire(): (() => void) | undefined;
  readonly held: number;
}

export function semaphore(places: number): Semaphore {
  let held = 0;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    // The place goes directly to the task that has waited longest.
    if (next === undefined) held--;
    else next();
  };
  const acquire = async (): Promise<void> => {
    if (held < places) held++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    async run(task) {
      await acquire();
      try {
        return await task();
      } finally {
        release();
      }
    },
    tryAcquire() {
      if (held >= places) return undefined;
      held++;
      let given = false;
      return () => {
        if (!given) release();
        given = true;
      };
    },
    get held() {
      return held;
    },
  };
}
