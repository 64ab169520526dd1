import { type Cache, keyOf, type RecordIdentity, startCache, type Watch } from "@kindling/controller";
import { type KubeClient, type KubeError, resources } from "@kindling/kube";
import type { Outside } from "@kindling/outside";

/** Which namespaces are served. */
export interface ServedNamespaces {
  /** Each namespace has a watch of its own; if the list is empty, one watch covers all. */
  readonly watched: readonly string[];
  serves(namespace: string): boolean;
  /** Adds the keys in a namespace when it begins to be served. */
  watch(keysIn: (namespace: string) => Iterable<string>): Watch;
  /** Resolves when the served namespaces are known. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
}

export interface ServedNamespacesOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** Served whatever their labels; all namespaces if this is empty and there is no selector. */
  readonly namespaces: readonly string[];
  readonly selector: string | undefined;
  /** Told of each fault, and whether it is a repeated refusal. The watch goes on by itself. */
  readonly onError: (error: KubeError, namespace: string | undefined, isRefusedAgain: boolean) => void;
}

/** Serves the namespaces that are named, and those that the selector matches. */
export function servedNamespaces(options: ServedNamespacesOptions): ServedNamespaces {
  const { client, selector, clock, random, onError } = options;
  const named = new Set(options.namespaces.filter((name) => name !== ""));
  const servesAll = named.size === 0 && selector === undefined;
  if (selector === undefined)
    return {
      watched: [...named],
      serves: (namespace) => servesAll || named.has(namespace),
      watch: () => () => () => undefined,
      synced: Promise.resolve(),
      stop: () => Promise.resolve(),
    };
  const matched: Cache<RecordIdentity> = startCache(client, resources.namespaces, {
    ...{ labelSelector: selector, clock, random, onError },
    keep: ({ metadata: { name = "", uid = "", resourceVersion = "" } = {} }) => ({ name, uid, resourceVersion }),
    identityOf: (record) => record,
  });
  return {
    // A namespace may begin to match at any time.
    watched: [],
    serves: (namespace) => named.has(namespace) || matched.get(namespace) !== undefined,
    watch: (keysIn) => (add) =>
      matched.subscribe({
        changed(change) {
          if (change.type === "added") for (const key of keysIn(change.record.name)) add(key);
        },
      }),
    synced: matched.synced,
    stop: () => matched.stop(),
  };
}

/** The keys of those records that are in a namespace. */
export function* keysIn(
  records: Iterable<{ readonly namespace: string; readonly name: string }>,
  namespace: string,
): Generator<string> {
  for (const record of records) if (record.namespace === namespace) yield keyOf(record);
}
