import type { KubeObject } from "@kindling/kube-objects";
import { type Cache, type RecordChange, startCache } from "@kindling/controller";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { KubeClient, KubeError } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { owningPods } from "../spark/spark-pod.ts";
import { objectIdentity, UPSTREAM, withoutManagedFields } from "./upstream-types.ts";
import type { SetKind } from "../spark/set-marks.ts";

export interface SetWatchOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** None: all of them. */
  readonly namespaces: readonly string[];
  readonly onFault: (kind: SetKind, error: KubeError) => void;
}

/** Is told what happens to sets. Must not throw. */
export type SetListener = (kind: SetKind, change: RecordChange<KubeObject>) => void;

/** A set of the cluster. */
export interface KnownSet {
  readonly kind: SetKind;
  readonly object: KubeObject;
}

interface Sets {
  readonly kind: SetKind;
  readonly cache: Cache<KubeObject, "owner">;
}

const KINDS: readonly SetKind[] = ["statefulsets", "deployments"];

/**
 * The StatefulSets and Deployments of executors in the cluster, by the label that the gateway gives them. Their annotations
 * say what the driver has asked for, so a gateway that has just started learns it here. Without the right to list sets, only
 * those are known that drivers ask for.
 */
export class SetWatch {
  readonly #sets: readonly Sets[];

  constructor({ client, namespaces, clock, random, onFault }: SetWatchOptions) {
    this.#sets = KINDS.map((kind) => ({
      kind,
      cache: startCache<KubeObject, KubeObject, "owner">(client, UPSTREAM[kind], {
        ...{ namespaces, clock, random, isOptional: true },
        labelSelector: SPARK_APP_ID_LABEL,
        keep: withoutManagedFields,
        identityOf: objectIdentity,
        indexes: { owner: (set) => owningPods(set).map(({ uid }) => uid) },
        onError(error, _namespace, isRefusedAgain) {
          if (!isRefusedAgain) onFault(kind, error);
        },
      }),
    }));
  }

  /** Tells the listener what happens from now on, until the result is called. */
  subscribe(listener: SetListener): () => void {
    const ends = this.#sets.map(({ kind, cache }) => cache.subscribe({ changed: (change) => listener(kind, change) }));
    return () => ends.forEach((end) => end());
  }

  /** Whether all sets that the gateway may see have been listed. */
  get isSynced(): boolean {
    return this.#sets.every(({ cache }) => cache.isSynced);
  }

  /** Resolves when all sets that the gateway may see have been listed once. */
  async synced(): Promise<void> {
    await Promise.all(this.#sets.map(({ cache }) => cache.synced));
  }

  *all(): Generator<KnownSet> {
    for (const { kind, cache } of this.#sets) for (const object of cache.values()) yield { kind, object };
  }

  ownedBy(namespace: string, uid: string): KnownSet[] {
    return this.#sets
      .flatMap(({ kind, cache }) => cache.byIndex("owner", uid).map((object) => ({ kind, object })))
      .filter(({ object }) => object.metadata.namespace === namespace);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#sets.map(({ cache }) => cache.stop()));
  }
}
