/** Keeps the entries that were used last, up to a total weight. */
export interface WeightedCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, weight: number): void;
  delete(key: string): void;
}

export function weightedCache<T>(maxWeight: number): WeightedCache<T> {
  // Maps keep the order of insertion: the first entry is the one that was not used for longest.
  const entries = new Map<string, { readonly value: T; readonly weight: number }>();
  let total = 0;
  const remove = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight) {
      remove(key);
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (total <= maxWeight || oldest === key) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
