import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { SnapshotDelivery } from "../snapshots/executor-pods-snapshot.ts";
import type { ClaimBudget } from "./claim-budget.ts";

/** The goal of an allocator, and what it knows. */
export interface AllocationInput {
  readonly delivery: SnapshotDelivery;
  /** How many executors are wanted in all, by resource profile. */
  readonly targets: ReadonlyMap<number, number>;
  /** Whether an executor has registered with its driver. */
  readonly isRegistered: (id: ExecutorId) => boolean;
  /** Absent if executors do not wait for each other's claims. */
  readonly claimBudget?: ClaimBudget | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
