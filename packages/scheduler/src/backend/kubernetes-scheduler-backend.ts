import type { Clock } from "@kindling/outside";
import { ExecutorPodsAllocator } from "../allocator/executor-pods-allocator.ts";
import type { AllocatorSettings } from "../allocator/allocator-settings.ts";
import type { Refusal } from "../allocator/allocator-state.ts";
import type { ClaimBudget } from "../allocator/claim-budget.ts";
import { ExecutorPodsLifecycleManager } from "../lifecycle/executor-pods-lifecycle-manager.ts";
import type { ExecutorExit } from "../lifecycle/exit-reason.ts";
import type { LifecycleSettings } from "../lifecycle/lifecycle-settings.ts";
import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { ExecutorPods } from "../actions/executor-pods.ts";
import type { SnapshotDelivery } from "../snapshots/executor-pods-snapshot.ts";
import type { ExecutorPodsSnapshotsStore } from "../snapshots/executor-pods-snapshots-store.ts";
import type { SchedulerBackend } from "./scheduler-backend.ts";

export interface SchedulerBackendOptions {
  /** Filled by sources, which the creator of the backend attaches and stops. */
  readonly store: ExecutorPodsSnapshotsStore;
  readonly pods: ExecutorPods;
  readonly allocator: AllocatorSettings;
  readonly lifecycle: LifecycleSettings;
  /** How many pods are created, and how many are deleted, at a time; 16. */
  readonly parallelRequests?: number | undefined;
  readonly claimBudget?: ((delivery: SnapshotDelivery) => Promise<ClaimBudget>) | undefined;
  /** Told once when more executors have failed than the application may lose. Must not throw. */
  readonly onTooManyFailures?: ((failures: number) => void) | undefined;
  /** Told of errors; the failed action is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly clock: Clock;
}

const PARALLEL_REQUESTS = 16;

/** The executors of one application on Kubernetes: a store, an allocator and a lifecycle manager, put together. */
export class KubernetesSchedulerBackend implements SchedulerBackend {
  readonly #allocator: ExecutorPodsAllocator;
  readonly #lifecycle: ExecutorPodsLifecycleManager;
  readonly #clock: Clock;
  readonly #registered = new Map<ExecutorId, number>();
  readonly #listeners = new Set<(exit: ExecutorExit) => void>();

  constructor(options: SchedulerBackendOptions) {
    const { store, pods, clock, claimBudget, parallelRequests = PARALLEL_REQUESTS } = options;
    const onError = options.onError ?? (() => undefined);
    this.#clock = clock;
    this.#allocator = new ExecutorPodsAllocator({
      store,
      pods,
      settings: options.allocator,
      parallelCreates: parallelRequests,
      isRegistered: (id) => this.#registered.has(id),
      claimBudget,
      onError,
      clock,
    });
    this.#lifecycle = new ExecutorPodsLifecycleManager({
      store,
      pods,
      settings: options.lifecycle,
      parallelDeletes: parallelRequests,
      registered: () => this.#registered,
      onExit: (exit) => this.#removed(exit),
      onTooManyFailures: options.onTooManyFailures ?? (() => undefined),
      onError,
      clock,
    });
  }

  start(): void {
    this.#allocator.start();
    this.#lifecycle.start();
  }

  /** Resolves when nothing more will be requested or reported. The executors stay as they are. */
  async stop(): Promise<void> {
    await Promise.all([this.#allocator.stop(), this.#lifecycle.stop()]);
  }

  requestTotalExecutors(totals: ReadonlyMap<number, number>): void {
    this.#allocator.setTotalExpectedExecutors(totals);
  }

  killExecutors(ids: readonly ExecutorId[]): void {
    this.#lifecycle.bidFarewell(ids, "killed");
  }

  decommissionExecutors(ids: readonly ExecutorId[]): void {
    this.#lifecycle.bidFarewell(ids, "decommissioned");
  }

  onExecutorRemoved(listener: (exit: ExecutorExit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * An executor has registered: it is running, whatever its pod says. If the result is false, it must be refused, because it
   * was deleted.
   */
  executorRegistered(id: ExecutorId): boolean {
    if (this.#allocator.isDeleted(id)) return false;
    this.#registered.set(id, this.#clock.now());
    return true;
  }

  /** Why no more executors of some resource profiles are being created at present, by profile. */
  get refusals(): ReadonlyMap<number, Refusal> {
    return this.#allocator.refusals;
  }

  #removed(exit: ExecutorExit): void {
    this.#registered.delete(exit.id);
    for (const listener of this.#listeners) listener(exit);
  }
}
