import { type KubeClient, type KubeError, type Reflector, resources, startReflector } from "@kindling/kube";
import type { Clock, Random } from "@kindling/outside";
import { recordOf } from "./application-record.ts";
import type { ApplicationStore } from "./application-store.ts";

export interface WatchOptions {
  /** Those that are watched; none for all, with one watch. */
  readonly namespaces: readonly string[];
  readonly store: ApplicationStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of each fault; the watch goes on by itself. */
  readonly onError: (error: KubeError, namespace: string | undefined) => void;
}

export interface ApplicationWatch {
  /** Resolves when every watch has listed what is there. */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  /** Whether what the watches have told is current. */
  readonly isCurrent: boolean;
  stop(): Promise<void>;
}

const DRIVERS = "spark-role=driver";

/** Keeps the store as the cluster is: a watch for each namespace, or one for all. */
export function watchApplications(client: KubeClient, options: WatchOptions): ApplicationWatch {
  const { namespaces, store, clock, random, onError } = options;
  const wanted = namespaces.length === 0 ? [undefined] : namespaces;
  const reflectors = wanted.map((namespace): Reflector => {
    const isListed = (record: { readonly namespace: string }): boolean =>
      namespace === undefined || record.namespace === namespace;
    return startReflector(client, resources.pods, {
      ...(namespace === undefined ? { allNamespaces: true } : { namespace }),
      labelSelector: DRIVERS,
      // A page or an event at a time is in memory as a whole, and no pod longer than that.
      keep: recordOf,
      clock,
      random: () => random.fraction(),
      onError: (error) => onError(error, namespace),
      sink: {
        replace: (records) => store.replace(records, isListed),
        apply(event) {
          if (event.type === "BOOKMARK") return;
          if (event.type === "DELETED") store.drop(event.object);
          else store.put(event.object);
        },
      },
    });
  });
  let isSynced = false;
  const synced = Promise.all(reflectors.map((reflector) => reflector.synced)).then(() => {
    isSynced = true;
  });
  synced.catch(() => undefined);
  for (const { ended } of reflectors) ended.catch(() => undefined);
  return {
    synced,
    get isSynced() {
      return isSynced;
    },
    get isCurrent() {
      return reflectors.every((reflector) => reflector.isCurrent);
    },
    async stop() {
      await Promise.allSettled(reflectors.map((reflector) => reflector.stop()));
    },
  };
}
