/** Lets a limited number of tasks run at once; others wait for their turn. */
export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>;
}

export function turns(most: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async take(work) {
      if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
