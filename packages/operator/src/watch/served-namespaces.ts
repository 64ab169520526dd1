import { resources, startReflector, type KubeClient, type KubeError, type Reflector } from "@kindling/kube";
import type { Outside } from "@kindling/outside";

/** Which namespaces are served. */
export interface ServedNamespaces {
  /** One watch for each; none is one for all. */
  readonly watched: readonly string[];
  serves(namespace: string): boolean;
  /** Resolves when it is known. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
}

export interface ServedNamespacesOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** Served whatever their labels; all, if there is none and no selector. */
  readonly namespaces: readonly string[];
  readonly selector: string | undefined;
  /** Told of namespaces that are served from now on. */
  readonly onServed: (namespace: string) => void;
  readonly onError: (error: KubeError, kind: string) => void;
}

/** Served are those that are named, and those that the selector matches. */
export function servedNamespaces(options: ServedNamespacesOptions): ServedNamespaces {
  const { client, selector, clock, random, onServed, onError } = options;
  const named = new Set(options.namespaces.filter((name) => name !== ""));
  const servesAll = named.size === 0 && selector === undefined;
  if (selector === undefined)
    return {
      watched: [...named],
      serves: (namespace) => servesAll || named.has(namespace),
      synced: Promise.resolve(),
      stop: () => Promise.resolve(),
    };
  const matched = new Set<string>();
  const add = (namespace: string): void => {
    if (matched.has(namespace)) return;
    matched.add(namespace);
    onServed(namespace);
  };
  const reflector: Reflector = startReflector(client, resources.namespaces, {
    ...{ labelSelector: selector, clock, random: () => random.fraction() },
    keep: ({ metadata }) => metadata?.name ?? "",
    onError: (error) => onError(error, "Namespace"),
    sink: {
      replace(names) {
        for (const name of matched) if (!names.includes(name)) matched.delete(name);
        names.forEach(add);
      },
      apply(event) {
        if (event.type === "DELETED") matched.delete(event.object);
        else if (event.type !== "BOOKMARK") add(event.object);
      },
    },
  });
  return {
    // A namespace may come to match at any time.
    watched: [],
    serves: (namespace) => named.has(namespace) || matched.has(namespace),
    synced: reflector.synced,
    stop: () => reflector.stop(),
  };
}
