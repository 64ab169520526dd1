import {
  type KubeObjectLike,
  type KubeClient,
  type KubeError,
  kubeError,
  type ListLimits,
  type Reflector,
  type ResourceType,
  startReflector,
} from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { createRecords, type IndexFunction, type RecordChange, type RecordIdentity, type Records } from "./records.ts";

export interface CacheOptions<T extends KubeObjectLike, R, I extends string> extends Pick<Outside, "clock" | "random"> {
  /** One watch for each namespace; undefined or empty: one watch for all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly pageSize?: number | undefined;
  readonly limits?: Partial<ListLimits> | undefined;
  /**
   * The part of an object to keep; undefined to ignore the object. Only one page of a list at a time is in memory with whole
   * objects.
   */
  readonly keep: (object: T) => R | undefined;
  readonly identityOf: (record: R) => RecordIdentity;
  readonly indexes?: Readonly<Record<I, IndexFunction<R>>> | undefined;
  /**
   * Whether it may continue without a list that the API server refuses: because of missing rights, or because it does not
   * know the kind. The list is requested again and again.
   */
  readonly isOptional?: boolean | undefined;
  /** Told of each fault, and whether it is a repeated refusal. The watch continues by itself. */
  readonly onError: (error: KubeError, namespace: string | undefined, isRefusedAgain: boolean) => void;
}

/** Is told what a cache learns. Must not throw. */
export interface CacheListener<R> {
  changed?(change: RecordChange<R>): void;
  /** A whole list has been received, with this resource version; undefined means all namespaces. */
  listed?(namespace: string | undefined, version: string): void;
  /** The watches have received something: a change, a list, or a bookmark. */
  advanced?(): void;
  /** `isRefused` has changed. */
  refused?(): void;
}

/**
 * Objects of one kind, as they are in the cluster or were moments ago: a list and a watch for each namespace, or one for all.
 */
export interface Cache<R, I extends string = never> extends Pick<
  Records<R, I>,
  "size" | "get" | "values" | "byIndex" | "note" | "forget"
> {
  /**
   * Resolves when everything has been listed once, or may be left out: of several namespaces those whose list is refused. Rejects when
   * the cache is stopped before that.
   */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  /** Whether an object that is missing here is also missing in the cluster (apart from the last moments). */
  isCurrent(namespace?: string): boolean;
  /** Whether objects of a namespace are cached. */
  covers(namespace: string): boolean;
  /** Whether a list is refused. */
  readonly isRefused: boolean;
  /** The last fault of a namespace's watch, until something has come after it. */
  lastError(namespace?: string): KubeError | undefined;
  /** Tells the listener of everything from now on, until the result is called. */
  subscribe(listener: CacheListener<R>): () => void;
  stop(): Promise<void>;
}

interface Part {
  readonly namespace: string | undefined;
  readonly reflector: Reflector;
  isListed: boolean;
  isRefused: boolean;
}

/** Starts to keep the objects of a kind. */
export function startCache<T extends KubeObjectLike, R, I extends string = never>(
  client: KubeClient,
  type: ResourceType<T>,
  options: CacheOptions<T, R, I>,
): Cache<R, I> {
  const { namespaces = [], identityOf, indexes, isOptional = false } = options;
  const listeners = new Set<CacheListener<R>>();
  const tell = (call: (listener: CacheListener<R>) => void): void => listeners.forEach(call);
  const records = createRecords<R, I>({
    ...{ identityOf, indexes },
    onChange: (change) => tell((listener) => listener.changed?.(change)),
  });
  const synced = deferred();
  const isSynced = (): boolean => {
    // A namespace that was deleted has no roles any more. The others must not wait for it.
    const mayBeRefused = isOptional || parts.some(({ isListed }) => isListed);
    return parts.every(({ isListed, isRefused }) => isListed || (mayBeRefused && isRefused));
  };
  const settle = (): void => {
    if (isSynced()) synced.resolve();
  };
  const parts = (namespaces.length === 0 ? [undefined] : namespaces).map((namespace) =>
    startPart(client, type, options, { namespace, records, tell, settle }),
  );
  const about = (namespace: string | undefined): readonly Part[] =>
    namespace === undefined ? parts : parts.filter((part) => isWithin(part, namespace));
  return {
    get size() {
      return records.size;
    },
    get: (key) => records.get(key),
    values: () => records.values(),
    byIndex: (index, value) => records.byIndex(index, value),
    note: (record) => records.note(record),
    forget: (record) => records.forget(record),
    synced: synced.promise,
    get isSynced() {
      return isSynced();
    },
    isCurrent: (namespace) => about(namespace).every(({ reflector }) => reflector.isCurrent),
    covers: (namespace) => about(namespace).length > 0,
    get isRefused() {
      return parts.some((part) => part.isRefused);
    },
    lastError: (namespace) =>
      about(namespace).find(({ reflector }) => reflector.lastError !== undefined)?.reflector.lastError,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      synced.reject(kubeError({ kind: "aborted" }, `the watch of ${type.plural} was stopped`));
      await Promise.allSettled(parts.map(({ reflector }) => reflector.stop()));
    },
  };
}

/** What all parts have in common. */
interface PartOptions<R, I extends string> {
  readonly namespace: string | undefined;
  readonly records: Records<R, I>;
  readonly tell: (call: (listener: CacheListener<R>) => void) => void;
  /** Checks whether all parts are complete. */
  readonly settle: () => void;
}

/** Starts the list and the watch of one namespace, or of all. */
function startPart<T extends KubeObjectLike, R, I extends string>(
  client: KubeClient,
  type: ResourceType<T>,
  options: CacheOptions<T, R, I>,
  { namespace, records, tell, settle }: PartOptions<R, I>,
): Part {
  const { identityOf, keep, onError, isOptional = false } = options;
  const covers = (record: R): boolean => namespace === undefined || identityOf(record).namespace === namespace;
  const advance = (): void => {
    settle();
    tell((listener) => listener.advanced?.());
  };
  const setRefused = (isRefused: boolean): void => {
    if (part.isRefused === isRefused) return;
    part.isRefused = isRefused;
    tell((listener) => listener.refused?.());
  };
  const reflector = startReflector<T, R | undefined>(client, type, {
    ...selectionOf(options, namespace),
    keep,
    onError(error) {
      // 404: a custom resource whose definition is not installed.
      const isRefusal = error.kind === "status" && (error.status === 403 || (isOptional && error.status === 404));
      const isRefusedAgain = isRefusal && part.isRefused;
      if (isRefusal) setRefused(true);
      onError(error, namespace, isRefusedAgain);
      settle();
    },
    sink: {
      replace(listed, version) {
        const kept = listed.filter((record) => record !== undefined);
        records.replace(kept, version, covers);
        part.isListed = true;
        setRefused(false);
        tell((listener) => listener.listed?.(namespace, version));
        advance();
      },
      apply(event) {
        if (event.type !== "BOOKMARK" && event.object !== undefined)
          records[event.type === "DELETED" ? "drop" : "put"](event.object);
        advance();
      },
    },
  });
  const part: Part = { namespace, reflector, isListed: false, isRefused: false };
  return part;
}

function selectionOf<T extends KubeObjectLike, R, I extends string>(
  { labelSelector, fieldSelector, pageSize, limits, clock, random }: CacheOptions<T, R, I>,
  namespace: string | undefined,
) {
  return {
    ...(namespace === undefined ? { allNamespaces: true } : { namespace }),
    ...{ labelSelector, fieldSelector, pageSize, limits, clock },
    random: () => random.fraction(),
  };
}

function isWithin(part: Pick<Part, "namespace">, namespace: string): boolean {
  return part.namespace === undefined || part.namespace === namespace;
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function deferred(): Deferred {
  let ends: Pick<Deferred, "resolve" | "reject"> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<void>((resolve, reject) => {
    ends = { resolve, reject };
  });
  // Waiting code gets the rejection; but nobody has to wait, so it is handled here.
  promise.catch(() => undefined);
  return { promise, ...ends };
}
