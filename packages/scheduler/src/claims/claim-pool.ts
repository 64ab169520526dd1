import { resources, type KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { PersistentVolumeClaim } from "kubernetes-types/core/v1.js";
import type { SnapshotDelivery } from "../snapshots/executor-pods-snapshot.ts";
import { APPLICATION_LABEL } from "../executor-pod/labels.ts";
import { isInterchangeable, withSubstitutes, type ExecutorResources } from "./executor-claim.ts";

export interface ClaimPoolOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly applicationId: string;
  /**
   * A claim that is younger than this may belong to an executor that has not been seen yet
   * (`spark.kubernetes.allocation.executor.timeout`).
   */
  readonly podCreationTimeoutMs: number;
  readonly clock: Clock;
}

/**
 * The persistent volume claims that earlier executors of an application have left. New executors can take them over with
 * their data (`spark.kubernetes.driver.reusePersistentVolumeClaim`; ExecutorPodsAllocator.getReusablePVCs, Spark 3.5).
 */
export class ClaimPool {
  readonly #options: ClaimPoolOptions;
  #free: PersistentVolumeClaim[] = [];
  /** Claims that were given to executors which may not have been seen yet, and when. */
  readonly #taken = new Map<string, number>();

  constructor(options: ClaimPoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#free.length;
  }

  /**
   * Finds out which claims no executor mounts.
   *
   * @throws KubeError if the API server cannot be asked.
   */
  async refresh({ last }: SnapshotDelivery): Promise<void> {
    const { client, namespace, applicationId, podCreationTimeoutMs, clock } = this.#options;
    const labelSelector = `${APPLICATION_LABEL}=${applicationId}`;
    const { items } = await client.listAll(resources.persistentvolumeclaims, { namespace, labelSelector });
    const before = clock.now() - podCreationTimeoutMs;
    for (const [name, at] of this.#taken) if (at < before) this.#taken.delete(name);
    const mounted = new Set([...last.pods.values()].flatMap(({ claims }) => claims));
    this.#free = items.filter(({ metadata: { name = "", creationTimestamp = "", deletionTimestamp } = {} }) => {
      const isInUse = mounted.has(name) || this.#taken.has(name) || deletionTimestamp !== undefined;
      return !isInUse && Date.parse(creationTimestamp) < before;
    });
  }

  /** The executor, with as many of its claims as possible replaced by free ones; these are then taken. */
  substitute(executor: ExecutorResources): ExecutorResources {
    const substitutes = new Map<string, string>();
    for (const claim of executor.claims) {
      const index = this.#free.findIndex((free) => isInterchangeable(free, claim));
      const [free] = index === -1 ? [] : this.#free.splice(index, 1);
      const name = free?.metadata?.name;
      if (name === undefined) continue;
      this.#taken.set(name, this.#options.clock.now());
      substitutes.set(claim.metadata?.name ?? "", name);
    }
    return withSubstitutes(executor, substitutes);
  }

  /** The pod that should mount the claims was not created: the next executor may have them. */
  release({ pod }: ExecutorResources): void {
    for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
      if (persistentVolumeClaim !== undefined) this.#taken.delete(persistentVolumeClaim.claimName);
    }
  }
}
