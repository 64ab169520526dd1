import type { Clock } from "@kindling/outside";
import { inParallel } from "../in-parallel.ts";
import type { AllocatorAction } from "../actions/action.ts";
import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { ExecutorPods } from "../actions/executor-pods.ts";
import type { SnapshotDelivery } from "../snapshots/executor-pods-snapshot.ts";
import type { ExecutorPodsSnapshotsStore, Subscription } from "../snapshots/executor-pods-snapshots-store.ts";
import { afterFailedDeletion } from "./after-failed-deletion.ts";
import { afterCreations, type Creation } from "./after-creations.ts";
import type { AllocatorSettings } from "./allocator-settings.ts";
import { NEW_ALLOCATOR, type AllocatorState, type Refusal } from "./allocator-state.ts";
import type { ClaimBudget } from "./claim-budget.ts";
import { planAllocation } from "./plan-allocation.ts";

export interface ExecutorPodsAllocatorOptions {
  readonly store: ExecutorPodsSnapshotsStore;
  readonly pods: ExecutorPods;
  readonly settings: AllocatorSettings;
  /** How many pods are created at a time. */
  readonly parallelCreates: number;
  readonly isRegistered: (id: ExecutorId) => boolean;
  /** Called once in a round; absent if executors do not wait for each other's claims. */
  readonly claimBudget?: ((delivery: SnapshotDelivery) => Promise<ClaimBudget>) | undefined;
  /** Told of errors; the failed action is tried again. */
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
}

type CreateAction = Extract<AllocatorAction, { kind: "create" }>;

/**
 * Makes sure that an application has as many executors as it wants. In rounds, it looks at the snapshots, makes a plan, and
 * carries it out before the next round begins.
 *
 * Counterpart of `ExecutorPodsAllocator` (Spark 3.5); differs in that the pods of a batch are created in parallel, and as
 * {@link planAllocation} says.
 */
export class ExecutorPodsAllocator {
  readonly #options: ExecutorPodsAllocatorOptions;
  #state: AllocatorState = NEW_ALLOCATOR;
  #targets: ReadonlyMap<number, number> = new Map();
  #outstanding = 0;
  #subscription: Subscription | undefined;

  constructor(options: ExecutorPodsAllocatorOptions) {
    this.#options = options;
  }

  start(): void {
    const { store, settings, onError } = this.#options;
    this.#subscription = store.subscribe({
      intervalMs: settings.batchDelayMs,
      onSnapshots: (delivery) => this.#round(delivery),
      onError,
    });
  }

  /** How many executors are wanted from now on, by resource profile; none of a profile that is left out. */
  setTotalExpectedExecutors(targets: ReadonlyMap<number, number>): void {
    const none = [...this.#targets.keys()].map((profileId) => [profileId, 0] as const);
    this.#targets = new Map([...none, ...targets]);
    if (this.#outstanding === 0) this.#subscription?.notify();
  }

  /** Whether the executor's deletion was requested: it must not register any more. */
  isDeleted(id: ExecutorId): boolean {
    return this.#state.deleted.has(id);
  }

  /** Why no more executors of some resource profiles are being created at present, by profile. */
  get refusals(): ReadonlyMap<number, Refusal> {
    return this.#state.refusals;
  }

  /** Resolves when nothing more will be requested. */
  async stop(): Promise<void> {
    await this.#subscription?.stop();
  }

  async #round(delivery: SnapshotDelivery): Promise<void> {
    const { settings, isRegistered, claimBudget, clock } = this.#options;
    const budget = await claimBudget?.(delivery);
    const input = { delivery, targets: this.#targets, isRegistered, claimBudget: budget, now: clock.now() };
    const plan = planAllocation(this.#state, settings, input);
    this.#state = plan.state;
    this.#outstanding = plan.outstanding;
    let hasRoom = true;
    for (const action of plan.actions) if (action.kind !== "create") hasRoom = (await this.#delete(action)) && hasRoom;
    const wanted = plan.actions.filter((action) => action.kind === "create");
    // The plan relies on the room of the pods that it deletes.
    if (hasRoom) await this.#create(wanted);
    else this.#skip(wanted);
  }

  /** Returns whether the API server has done it. */
  async #delete({ kind, ids }: Exclude<AllocatorAction, CreateAction>): Promise<boolean> {
    const { pods, onError } = this.#options;
    try {
      await (kind === "delete-pending" ? pods.deletePending(ids) : pods.deleteAny(ids));
      return true;
    } catch (error) {
      if (kind === "delete-pending") this.#state = afterFailedDeletion(this.#state, ids);
      onError(error);
      return false;
    }
  }

  #skip(wanted: readonly CreateAction[]): void {
    const creations = wanted.map(({ id, profileId }) => ({ id, profileId, outcome: { kind: "skipped" } as const }));
    this.#finish(creations);
  }

  async #create(wanted: readonly CreateAction[]): Promise<void> {
    const { pods, parallelCreates } = this.#options;
    const refused = new Set<number>();
    const creations = await inParallel(wanted, parallelCreates, async ({ id, profileId }): Promise<Creation> => {
      if (refused.has(profileId)) return { id, profileId, outcome: { kind: "skipped" } };
      const outcome = await pods.create(id, profileId);
      if (outcome.kind === "refused") refused.add(profileId);
      return { id, profileId, outcome };
    });
    this.#finish(creations);
  }

  #finish(creations: readonly Creation[]): void {
    if (creations.length === 0) return;
    const { settings, clock } = this.#options;
    this.#state = afterCreations(this.#state, creations, { now: clock.now(), backoff: settings.backoff });
  }
}
