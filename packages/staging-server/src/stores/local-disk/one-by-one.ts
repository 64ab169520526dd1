/** Runs a task as soon as all earlier ones of the same key have ended, successfully or not. */
export type OneByOne = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export function oneByOne(): OneByOne {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
