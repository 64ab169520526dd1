import type { ExecutorId } from "../pods/executor-pod.ts";

/** An executor that was told to go. */
export interface Farewell {
  readonly kind: "killed" | "decommissioned";
  /** When it was told, in milliseconds since the epoch. */
  readonly at: number;
}

/** What a lifecycle manager remembers. All times are milliseconds since the epoch. */
export interface LifecycleState {
  /** Executors whose end was told, and when that was, or when one was last shown: later news of them is none. */
  readonly removed: ReadonlyMap<ExecutorId, number>;
  /** Executors that live as far as is known, and when one was last shown. */
  readonly alive: ReadonlyMap<ExecutorId, number>;
  /** Pods of ended executors that were asked to be deleted or marked, and when. */
  readonly clearedAway: ReadonlyMap<ExecutorId, number>;
  readonly farewells: ReadonlyMap<ExecutorId, Farewell>;
  /** The list that was last looked through for executors that it does not show. */
  readonly comparedAt: number;
  /** Executors that have failed, and when that was first seen. */
  readonly failures: ReadonlyMap<ExecutorId, number>;
}

export const NEW_LIFECYCLE: LifecycleState = {
  removed: new Map(),
  alive: new Map(),
  clearedAway: new Map(),
  farewells: new Map(),
  comparedAt: 0,
  failures: new Map(),
};
