import type { Cache } from "./cache.ts";

/**
 * What follows after a key was reconciled: nothing until something changes, another time after a delay, or after a back-off.
 */
export type ReconcileResult =
  | { readonly kind: "done" }
  | { readonly kind: "again-after"; readonly ms: number }
  | { readonly kind: "again-later" };

/** There is nothing to do until something changes. */
export const done: ReconcileResult = { kind: "done" };

/** The key could not be reconciled now, but this is no fault: it is tried again after a wait that grows each time. */
export const againLater: ReconcileResult = { kind: "again-later" };

/** There is nothing to do for this many milliseconds. A change brings the key back earlier. */
export function againAfter(ms: number): ReconcileResult {
  return { kind: "again-after", ms };
}

/** A source of a controller's keys: adds the existing keys, and then each key that changes, until the result is called. */
export type Watch = (add: (key: string) => void) => () => void;

/**
 * Something that acts in a cluster: for each key it compares the actual state with the wanted state, and does what is
 * missing. It does not rely on seeing every event, and a key is never reconciled twice at the same time. In
 * controller-runtime this is a Reconciler with its watches.
 */
export interface Controller {
  /** The name in logs and metrics. */
  readonly name: string;
  readonly watches: readonly Watch[];
  /**
   * Reconciles one key, usually `namespace/name`. Errors that it throws are logged, and the key is tried again after a
   * back-off.
   */
  reconcile(key: string): Promise<ReconcileResult>;
  /** How many keys are reconciled at the same time. */
  readonly workers: number;
}

/**
 * Watches the records of a cache.
 *
 * @param keysOf the keys that concern a record. A change also adds the keys of the old record
 */
export function watch<R>(
  cache: Pick<Cache<R>, "values" | "subscribe">,
  keysOf: (record: R) => Iterable<string>,
): Watch {
  return (add) => {
    const end = cache.subscribe({
      changed(change) {
        const keys = new Set(keysOf(change.record));
        if (change.type !== "added") for (const key of keysOf(change.previous)) keys.add(key);
        keys.forEach(add);
      },
    });
    for (const record of cache.values()) for (const key of keysOf(record)) add(key);
    return end;
  };
}
