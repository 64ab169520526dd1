import type { ExecutorId } from "../executor-pod/executor-pod.ts";

/** A requested executor whose pod has not been seen yet. */
export interface RequestedPod {
  readonly profileId: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The API server has refused the pods of a resource profile. */
export interface Refusal {
  /** How many times in a row. */
  readonly times: number;
  /** Nothing is requested before this time, in milliseconds since the epoch. */
  readonly notBefore: number;
  /** The API server's message. */
  readonly message: string;
}

/**
 * What an allocator remembers besides the snapshots. It is plain data: the next state follows from it and from the snapshots.
 */
export interface AllocatorState {
  /** The highest id that was used or seen; 0 before the first. */
  readonly lastId: ExecutorId;
  /** Requested, but neither seen nor registered. */
  readonly requested: ReadonlyMap<ExecutorId, RequestedPod>;
  /** Registered with their driver but not seen yet, with their resource profiles. */
  readonly registeredUnseen: ReadonlyMap<ExecutorId, number>;
  /** Executors whose deletion was requested, and when. They no longer count, seen or not, and may not register. */
  readonly deleted: ReadonlyMap<ExecutorId, number>;
  /** By resource profile; a profile is missing if its last attempt succeeded. */
  readonly refusals: ReadonlyMap<number, Refusal>;
  /** How many persistent volume claims were created for executors so far. */
  readonly claims: number;
}

export const NEW_ALLOCATOR: AllocatorState = {
  lastId: 0,
  requested: new Map(),
  registeredUnseen: new Map(),
  deleted: new Map(),
  refusals: new Map(),
  claims: 0,
};
