import type { KubeObject } from "@kindling/api-server";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import {
  createObjectStore,
  isKubeError,
  type KubeClient,
  type KubeError,
  type ObjectStore,
  type Reflector,
  startReflector,
  type StoreChange,
} from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { owningPods } from "../spark/spark-pod.ts";
import { type SetKind, UPSTREAM, withoutManagedFields } from "./upstream-types.ts";

export interface SetWatchOptions {
  readonly client: KubeClient;
  /** Undefined: all of them. */
  readonly namespaces: readonly string[] | undefined;
  readonly clock: Clock;
  readonly onFault: (kind: SetKind, error: KubeError) => void;
}

/** Who is told of what happens to sets. Must not throw. */
export type SetListener = (kind: SetKind, change: StoreChange<KubeObject>) => void;

/** A set of the cluster. */
export interface KnownSet {
  readonly kind: SetKind;
  readonly object: KubeObject;
}

interface Part {
  readonly kind: SetKind;
  readonly namespace: string | undefined;
  readonly store: ObjectStore<KubeObject, "owner">;
  readonly reflector: Reflector;
  isForbidden: boolean;
}

const KINDS: readonly SetKind[] = ["statefulsets", "deployments"];

/**
 * The StatefulSets and Deployments of executors in the cluster, by the label that the gateway gives them. What a driver has
 * asked of them stands on them: a gateway that has just started learns it here.
 */
export class SetWatch {
  readonly #parts: readonly Part[];
  readonly #waiting: (() => void)[] = [];
  #listener: SetListener | undefined;

  constructor({ client, namespaces, clock, onFault }: SetWatchOptions) {
    const watch = (kind: SetKind, namespace: string | undefined): Part => {
      const store = createObjectStore<KubeObject, "owner">({
        indexes: { owner: (set) => owningPods(set).map(({ uid }) => uid) },
        onChange: (change) => this.#listener?.(kind, change),
      });
      const reflector = startReflector<KubeObject>(client, UPSTREAM[kind], {
        ...(namespace === undefined ? { allNamespaces: true } : { namespace }),
        labelSelector: SPARK_APP_ID_LABEL,
        keep: withoutManagedFields,
        clock,
        sink: {
          replace: (items, version) => {
            store.replace(items, version);
            part.isForbidden = false;
            this.#wakeIfSynced();
          },
          apply: (event) => store.apply(event),
        },
        onError: (error) => {
          const isNew = !part.isForbidden;
          if (isForbidden(error)) part.isForbidden = true;
          if (isNew || !part.isForbidden) onFault(kind, error);
          this.#wakeIfSynced();
        },
      });
      const part: Part = { kind, namespace, store, reflector, isForbidden: false };
      return part;
    };
    this.#parts = (namespaces ?? [undefined]).flatMap((namespace) => KINDS.map((kind) => watch(kind, namespace)));
  }

  /** Undefined: nobody. */
  set listener(listener: SetListener | undefined) {
    this.#listener = listener;
  }

  /** Whether all that may be seen has been listed. Without the right to see sets, only those are known that drivers ask for. */
  get isSynced(): boolean {
    return this.#parts.every(({ store, isForbidden }) => store.resourceVersion !== undefined || isForbidden);
  }

  /** Resolves when all that may be seen has been listed once. */
  async synced(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#wakeIfSynced();
    });
  }

  *all(): Generator<KnownSet> {
    for (const { kind, store } of this.#parts) for (const object of store.values()) yield { kind, object };
  }

  ownedBy(namespace: string, uid: string): KnownSet[] {
    return this.#parts
      .filter((part) => part.namespace === undefined || part.namespace === namespace)
      .flatMap(({ kind, store }) => store.byIndex("owner", uid).map((object) => ({ kind, object })))
      .filter(({ object }) => object.metadata.namespace === namespace);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#parts.map(({ reflector }) => reflector.stop()));
  }

  #wakeIfSynced(): void {
    if (this.isSynced) for (const wake of this.#waiting.splice(0)) wake();
  }
}

function isForbidden(error: KubeError): boolean {
  return isKubeError(error) && error.kind === "status" && error.status === 403;
}
