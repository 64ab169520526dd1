import { isOlder } from "@kindling/kube";

/** Identifies a record's object, and its state. */
export interface RecordIdentity {
  /** Undefined or empty for an object without a namespace. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** A change of one record. After a deletion, `record` is the last known state. */
export type RecordChange<R> =
  | { readonly type: "added"; readonly record: R }
  | { readonly type: "updated"; readonly record: R; readonly previous: R }
  | { readonly type: "deleted"; readonly record: R; readonly previous: R };

/** The values under which a record can be found; with none it is not in the index. */
export type IndexFunction<R> = (record: R) => readonly string[];

export interface RecordsOptions<R, I extends string> {
  readonly identityOf: (record: R) => RecordIdentity;
  readonly indexes?: Readonly<Record<I, IndexFunction<R>>> | undefined;
  /** Told of each change after it was applied. Must not throw. */
  readonly onChange: (change: RecordChange<R>) => void;
}

/** Records of one kind of objects, which can be found by key and by indexes. Records must not be changed. */
export interface Records<R, I extends string = never> {
  readonly size: number;
  /** By {@link keyOf}. */
  get(key: string): R | undefined;
  values(): IterableIterator<R>;
  /** The records that an index lists under a value. */
  byIndex(index: I, value: string): R[];
  /** Stores the answer to an own write: it is valid until the watch shows that state or a later one. */
  note(record: R): void;
  /** The object was found to be gone. */
  forget(record: R): void;
  /** Stores what a watch shows. */
  put(record: R): void;
  drop(record: R): void;
  /**
   * Stores what a list shows.
   *
   * @param covers which records the list would contain if they existed
   */
  replace(records: readonly R[], version: string, covers: (record: R) => boolean): void;
}

/** `namespace/name`, or only the name if there is no namespace. */
export function keyOf({ namespace = "", name }: Pick<RecordIdentity, "namespace" | "name">): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

export function createRecords<R, I extends string = never>(options: RecordsOptions<R, I>): Records<R, I> {
  const { identityOf, onChange } = options;
  const records = new Map<string, R>();
  const indexes = new Map(
    Object.entries<IndexFunction<R>>(options.indexes ?? {}).map(([name, valuesOf]) => [name, valueIndex(valuesOf)]),
  );
  /** The versions of own writes that no watch has shown yet. */
  const written = new Map<string, string>();

  function set(key: string, record: R): void {
    const previous = records.get(key);
    records.set(key, record);
    for (const index of indexes.values()) index.put(key, record, previous);
    onChange(previous === undefined ? { type: "added", record } : { type: "updated", record, previous });
  }

  function remove(key: string, last: R | undefined): void {
    const previous = records.get(key);
    written.delete(key);
    if (previous === undefined) return;
    records.delete(key);
    for (const index of indexes.values()) index.remove(key, previous);
    onChange({ type: "deleted", record: last ?? previous, previous });
  }

  /** Whether a state is older than what was written here. */
  function isBehind(key: string, version: string): boolean {
    const own = written.get(key);
    return own !== undefined && isOlder(version, own);
  }

  function put(record: R): void {
    const identity = identityOf(record);
    const key = keyOf(identity);
    if (isBehind(key, identity.resourceVersion)) return;
    written.delete(key);
    const known = records.get(key);
    // A new list contains mostly what is known already.
    if (known === undefined || !isSameState(identityOf(known), identity)) set(key, record);
  }

  return {
    get size() {
      return records.size;
    },
    get: (key) => records.get(key),
    values: () => records.values(),
    byIndex: (name, value) => indexes.get(name)?.records(value) ?? [],
    note(record) {
      const identity = identityOf(record);
      const key = keyOf(identity);
      const known = records.get(key);
      // The watch was faster.
      if (known !== undefined && !isOlder(identityOf(known).resourceVersion, identity.resourceVersion)) return;
      written.set(key, identity.resourceVersion);
      set(key, record);
    },
    forget(record) {
      const identity = identityOf(record);
      const known = records.get(keyOf(identity));
      if (known !== undefined && identityOf(known).uid === identity.uid) remove(keyOf(identity), undefined);
    },
    put,
    drop(record) {
      const identity = identityOf(record);
      const key = keyOf(identity);
      const known = records.get(key);
      // The deletion is old if an object that was created here has taken the name since then.
      if (known !== undefined && identityOf(known).uid !== identity.uid && isBehind(key, identity.resourceVersion))
        return;
      remove(key, record);
    },
    replace(listed, version, covers) {
      const there = new Set(listed.map((record) => keyOf(identityOf(record))));
      for (const [key, record] of records)
        if (covers(record) && !there.has(key) && !isBehind(key, version)) remove(key, undefined);
      listed.forEach(put);
    },
  };
}

function isSameState(one: RecordIdentity, other: RecordIdentity): boolean {
  return one.resourceVersion === other.resourceVersion && one.uid === other.uid && one.resourceVersion !== "";
}

interface ValueIndex<R> {
  put(key: string, record: R, previous: R | undefined): void;
  remove(key: string, record: R): void;
  records(value: string): R[];
}

function valueIndex<R>(valuesOf: IndexFunction<R>): ValueIndex<R> {
  const byValue = new Map<string, Map<string, R>>();

  function remove(key: string, record: R): void {
    for (const value of valuesOf(record)) {
      const found = byValue.get(value);
      found?.delete(key);
      // Values such as application ids never come back, so an empty map would be a memory leak.
      if (found?.size === 0) byValue.delete(value);
    }
  }

  return {
    put(key, record, previous) {
      if (previous !== undefined) remove(key, previous);
      for (const value of valuesOf(record)) {
        const found = byValue.get(value);
        if (found === undefined) byValue.set(value, new Map([[key, record]]));
        else found.set(key, record);
      }
    },
    remove,
    records: (value) => [...(byValue.get(value)?.values() ?? [])],
  };
}
