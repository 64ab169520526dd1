import type { Cache } from "./cache.ts";

/** What comes after a look at a key: nothing until something changes, another look after a time, or one after a back-off. */
export type ReconcileResult =
  | { readonly kind: "done" }
  | { readonly kind: "again-after"; readonly ms: number }
  | { readonly kind: "again-later" };

/** Nothing more is to be done until something changes. */
export const done: ReconcileResult = { kind: "done" };

/** The key could not be seen to now, and nobody is to blame: it comes again after a wait that grows each time. */
export const againLater: ReconcileResult = { kind: "again-later" };

/** Nothing more is to be done for so many milliseconds. A change brings the key back earlier. */
export function againAfter(ms: number): ReconcileResult {
  return { kind: "again-after", ms };
}

/**
 * Where the keys of a controller come from: adds those that are there, and then each that something happens to, until the
 * result is called.
 */
export type Watch = (add: (key: string) => void) => () => void;

/**
 * Something that acts in a cluster: for each key it looks at how things are, and does what is missing. It does not count on
 * having seen an event, and one key is worked on once at a time. What controller-runtime calls a Reconciler with its
 * watches.
 */
export interface Controller {
  /** As it stands in logs and metrics. */
  readonly name: string;
  readonly watches: readonly Watch[];
  /** Sees to one key, mostly `namespace/name`. What it throws is logged, and the key comes again after a back-off. */
  reconcile(key: string): Promise<ReconcileResult>;
  /** How many keys are worked on at a time. */
  readonly workers: number;
}

/**
 * The records of a cache, as keys.
 *
 * @param keysOf the keys that have to do with a record. A change adds those of the record as it was, too
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
