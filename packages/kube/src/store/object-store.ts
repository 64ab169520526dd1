import type { KubeObject } from "../kube-object.ts";
import type { ReflectorSink } from "../watch/reflector-options.ts";
import type { WatchEvent } from "../answers/watch-event.ts";

/** What became of one object, as seen by whoever follows a store. */
export type StoreChange<T extends KubeObject> =
  | { readonly type: "added"; readonly object: T }
  | { readonly type: "updated"; readonly object: T; readonly previous: T }
  | { readonly type: "deleted"; readonly object: T };

/** Under which values an object is to be found; none leaves it out of the index. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[];

export interface ObjectStoreOptions<T extends KubeObject, I extends string> {
  readonly indexes?: Readonly<Record<I, IndexFunction<T>>>;
  /** Told of each change after it is in the store. Must not throw. */
  readonly onChange?: (change: StoreChange<T>) => void;
}

/** The current objects of a selection, as a reflector has last seen them. Objects in it must not be changed. */
export interface ObjectStore<T extends KubeObject = KubeObject, I extends string = string> extends ReflectorSink<T> {
  readonly size: number;
  /** As of which the objects are; undefined before the first `replace`. */
  readonly resourceVersion: string | undefined;
  replace(items: readonly T[], resourceVersion: string): void;
  apply(event: WatchEvent<T>): void;
  /** By `namespace/name`, or the name alone of what is cluster-scoped. */
  get(key: string): T | undefined;
  values(): IterableIterator<T>;
  /** The objects that an index lists under a value. */
  byIndex(index: I, value: string): T[];
}

/** `namespace/name`, or the name alone where there is no namespace. */
export function keyOf(object: KubeObject): string {
  const { namespace, name = "" } = object.metadata ?? {};
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** An index by the value of a label. */
export function labelIndex(label: string): IndexFunction<KubeObject> {
  return (object) => {
    const value = object.metadata?.labels?.[label];
    return value === undefined ? [] : [value];
  };
}

export function createObjectStore<T extends KubeObject, I extends string = never>(
  options: ObjectStoreOptions<T, I> = {},
): ObjectStore<T, I> {
  const objects = new Map<string, T>();
  const indexes = new Map(
    Object.entries<IndexFunction<T>>(options.indexes ?? {}).map(([name, valuesOf]) => [name, valueIndex(valuesOf)]),
  );
  let resourceVersion: string | undefined;

  function put(object: T): void {
    const key = keyOf(object);
    const previous = objects.get(key);
    // A relist brings mostly what is known already.
    if (previous !== undefined && isSameState(previous, object)) return;
    objects.set(key, object);
    for (const index of indexes.values()) index.put(key, object, previous);
    options.onChange?.(previous === undefined ? { type: "added", object } : { type: "updated", object, previous });
  }

  function remove(key: string, last: T | undefined): void {
    const previous = objects.get(key);
    if (previous === undefined) return;
    objects.delete(key);
    for (const index of indexes.values()) index.remove(key, previous);
    options.onChange?.({ type: "deleted", object: last ?? previous });
  }

  return {
    get size() {
      return objects.size;
    },
    get resourceVersion() {
      return resourceVersion;
    },
    replace(items, version) {
      const kept = new Set(items.map(keyOf));
      for (const key of objects.keys()) if (!kept.has(key)) remove(key, undefined);
      for (const item of items) put(item);
      resourceVersion = version;
    },
    apply(event) {
      resourceVersion = event.resourceVersion;
      if (event.type === "BOOKMARK") return;
      if (event.type === "DELETED") remove(keyOf(event.object), event.object);
      else put(event.object);
    },
    get: (key) => objects.get(key),
    values: () => objects.values(),
    byIndex: (name, value) => indexes.get(name)?.objects(value) ?? [],
  };
}

function isSameState(one: KubeObject, other: KubeObject): boolean {
  const version = one.metadata?.resourceVersion;
  return (
    version !== undefined && version === other.metadata?.resourceVersion && one.metadata?.uid === other.metadata?.uid
  );
}

interface ValueIndex<T extends KubeObject> {
  put(key: string, object: T, previous: T | undefined): void;
  remove(key: string, object: T): void;
  objects(value: string): T[];
}

function valueIndex<T extends KubeObject>(valuesOf: IndexFunction<T>): ValueIndex<T> {
  const byValue = new Map<string, Map<string, T>>();

  function remove(key: string, object: T): void {
    for (const value of valuesOf(object)) {
      const found = byValue.get(value);
      found?.delete(key);
      // Values such as application ids never come back: an empty map left behind is a leak.
      if (found?.size === 0) byValue.delete(value);
    }
  }

  return {
    put(key, object, previous) {
      if (previous !== undefined) remove(key, previous);
      for (const value of valuesOf(object)) {
        const found = byValue.get(value);
        if (found === undefined) byValue.set(value, new Map([[key, object]]));
        else found.set(key, object);
      }
    },
    remove,
    objects: (value) => [...(byValue.get(value)?.values() ?? [])],
  };
}
