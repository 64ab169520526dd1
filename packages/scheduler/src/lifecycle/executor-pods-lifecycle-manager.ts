import type { Clock } from "@kindling/outside";
import { inParallel } from "../in-parallel.ts";
import type { LifecycleAction } from "../actions/action.ts";
import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { ExecutorPods } from "../actions/executor-pods.ts";
import type { SnapshotDelivery } from "../snapshots/executor-pods-snapshot.ts";
import type { ExecutorPodsSnapshotsStore, Subscription } from "../snapshots/executor-pods-snapshots-store.ts";
import type { ExecutorExit } from "./exit-reason.ts";
import type { LifecycleSettings } from "./lifecycle-settings.ts";
import { NEW_LIFECYCLE, type Farewell, type LifecycleState } from "./lifecycle-state.ts";
import { planLifecycle } from "./plan-lifecycle.ts";

export interface ExecutorPodsLifecycleManagerOptions {
  readonly store: ExecutorPodsSnapshotsStore;
  readonly pods: ExecutorPods;
  readonly settings: LifecycleSettings;
  /** How many pods are deleted or marked at a time. */
  readonly parallelDeletes: number;
  /** Executors that have registered with their driver, and when, in milliseconds since the epoch. */
  readonly registered: () => ReadonlyMap<ExecutorId, number>;
  /** Told of each executor's end, once. Must not throw. */
  readonly onExit: (exit: ExecutorExit) => void;
  /** Told once when more executors have failed than the application may lose. Must not throw. */
  readonly onTooManyFailures: (failures: number) => void;
  /** Told of errors; the failed action is tried again. */
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
}

/**
 * Notices that executors have ended, reports why, and deletes or marks their pods.
 *
 * Counterpart of `ExecutorPodsLifecycleManager` (Spark 3.5, 4.1); differs as {@link planLifecycle} says.
 */
export class ExecutorPodsLifecycleManager {
  readonly #options: ExecutorPodsLifecycleManagerOptions;
  #state: LifecycleState = NEW_LIFECYCLE;
  #hasFailed = false;
  #subscription: Subscription | undefined;

  constructor(options: ExecutorPodsLifecycleManagerOptions) {
    this.#options = options;
  }

  start(): void {
    const { store, settings, onError } = this.#options;
    this.#subscription = store.subscribe({
      intervalMs: settings.eventProcessingIntervalMs,
      onSnapshots: (delivery) => this.#look(delivery),
      onError,
    });
  }

  /** These executors were told to stop, or will be told by the deletion of their pods; unknown ids are ignored. */
  bidFarewell(ids: readonly ExecutorId[], kind: Farewell["kind"]): void {
    const { store, registered, clock } = this.#options;
    const farewells = new Map(this.#state.farewells);
    for (const id of ids) {
      const isKnown = store.last.pods.has(id) || registered().has(id);
      // An executor that was told to stop at once is not decommissioned any more.
      if (isKnown && farewells.get(id)?.kind !== "killed") farewells.set(id, { kind, at: clock.now() });
    }
    this.#state = { ...this.#state, farewells };
    this.#subscription?.notify();
  }

  /** Resolves when nothing more will be reported or done. */
  async stop(): Promise<void> {
    await this.#subscription?.stop();
  }

  async #look(delivery: SnapshotDelivery): Promise<void> {
    const { settings, registered, onExit, onTooManyFailures, parallelDeletes, clock } = this.#options;
    const plan = planLifecycle(this.#state, settings, { delivery, registered: registered(), now: clock.now() });
    this.#state = plan.state;
    for (const exit of plan.exits) onExit(exit);
    if (plan.failures > settings.maxExecutorFailures && !this.#hasFailed) {
      this.#hasFailed = true;
      onTooManyFailures(plan.failures);
    }
    await inParallel(plan.actions, parallelDeletes, (action) => this.#carryOut(action));
  }

  async #carryOut(action: LifecycleAction): Promise<void> {
    const { pods, onError } = this.#options;
    try {
      switch (action.kind) {
        case "delete-ended":
          return await pods.deleteOne(action.pod, action.uid);
        case "mark-inactive":
          return await pods.markInactive(action.pod);
        case "delete-killed":
        case "decommission":
          return await pods.deleteAny(action.ids);
      }
    } catch (error) {
      onError(error);
    }
  }
}
