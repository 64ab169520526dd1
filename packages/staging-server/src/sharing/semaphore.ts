/** Lets a limited number of things happen at once; the others wait their turn, first come, first served. */
export interface Semaphore {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** A place without waiting, to be given back by the result; `undefined` if there is none. */
  tryAcquire(): (() => void) | undefined;
  readonly held: number;
}

export function semaphore(places: number): Semaphore {
  let held = 0;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    // The place goes to whoever waits longest; nobody can slip in between.
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
