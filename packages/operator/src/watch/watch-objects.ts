import {
  startReflector,
  type KubeClient,
  type KubeError,
  type KubeObject,
  type Reflector,
  type ResourceType,
} from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { KeptRecord, RecordStore } from "./record-store.ts";

export interface WatchPlace extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** One watch for each; none is one for all namespaces. */
  readonly namespaces: readonly string[];
  /** Told of each fault; the watch goes on by itself. */
  readonly onError: (error: KubeError, kind: string) => void;
}

export interface WatchedKind<T extends KubeObject, R extends KeptRecord> {
  readonly type: ResourceType<T>;
  readonly labelSelector?: string;
  /** What is kept of an object; undefined for objects that are none of ours. */
  readonly keep: (object: T) => R | undefined;
  readonly store: RecordStore<R>;
}

/** Keeps a store as the cluster is. */
export function watchObjects<T extends KubeObject, R extends KeptRecord>(
  { client, namespaces, onError, clock, random }: WatchPlace,
  { type, labelSelector, keep, store }: WatchedKind<T, R>,
): readonly Reflector[] {
  const wanted = namespaces.length === 0 ? [undefined] : namespaces;
  return wanted.map((namespace) =>
    startReflector<T, R | undefined>(client, type, {
      ...(namespace === undefined ? { allNamespaces: true } : { namespace }),
      labelSelector,
      keep,
      clock,
      random: () => random.fraction(),
      onError: (error) => onError(error, type.kind),
      sink: {
        replace(records) {
          store.replace(
            records.filter((record) => record !== undefined),
            (record) => namespace === undefined || record.namespace === namespace,
          );
        },
        apply(event) {
          if (event.type === "BOOKMARK" || event.object === undefined) return;
          if (event.type === "DELETED") store.drop(event.object);
          else store.put(event.object);
        },
      },
    }),
  );
}
