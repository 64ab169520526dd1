import type { ExecutorId } from "../executor-pod/executor-pod.ts";

/** An executor that was told to stop. */
export interface Farewell {
  readonly kind: "killed" | "decommissioned";
  /** When it was told, in milliseconds since the epoch. */
  readonly at: number;
}

/** What a lifecycle manager remembers. All times are milliseconds since the epoch. */
export interface LifecycleState {
  /**
   * Executors whose end was reported, and when that was or when the executor was last shown. Later changes of them are
   * ignored.
   */
  readonly removed: ReadonlyMap<ExecutorId, number>;
  /** Executors that are alive as far as is known, and when each was last shown. */
  readonly alive: ReadonlyMap<ExecutorId, number>;
  /** Ended executors whose pods were requested to be deleted or marked, and when. */
  readonly clearedAway: ReadonlyMap<ExecutorId, number>;
  readonly farewells: ReadonlyMap<ExecutorId, Farewell>;
  /** The time of the last list that was checked for missing executors. */
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
