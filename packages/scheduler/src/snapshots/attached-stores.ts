import type { ExecutorPod } from "../executor-pod/executor-pod.ts";
import type { ExecutorPodsSnapshotsStore } from "./executor-pods-snapshots-store.ts";

/** An executor pod, and the id of its application. */
export interface ApplicationPod {
  /** Value of the label `spark-app-selector`. */
  readonly applicationId: string;
  readonly pod: ExecutorPod;
}

/** The stores that a source fills, by application: one source serves all applications of a namespace. */
export class AttachedStores {
  readonly #stores = new Map<string, Set<ExecutorPodsSnapshotsStore>>();

  attach(applicationId: string, store: ExecutorPodsSnapshotsStore): () => void {
    const own = this.#stores.get(applicationId) ?? new Set();
    this.#stores.set(applicationId, own.add(store));
    return () => {
      own.delete(store);
      if (own.size === 0 && this.#stores.get(applicationId) === own) this.#stores.delete(applicationId);
    };
  }

  of(applicationId: string): Iterable<ExecutorPodsSnapshotsStore> {
    return this.#stores.get(applicationId) ?? [];
  }

  /** Gives each store the pods of its application, or an empty list if there are none. */
  replaceAll(
    pods: Iterable<ApplicationPod>,
    onStore: (store: ExecutorPodsSnapshotsStore, own: ExecutorPod[]) => void,
  ): void {
    const byApplication = new Map([...this.#stores.keys()].map((id): [string, ExecutorPod[]] => [id, []]));
    for (const { applicationId, pod } of pods) byApplication.get(applicationId)?.push(pod);
    for (const [applicationId, own] of byApplication) {
      for (const store of this.of(applicationId)) onStore(store, own);
    }
  }
}
