import type { ExecutorId } from "../pods/executor-pod.ts";

/** An executor that was asked for, and whose pod has not been seen yet. */
export interface RequestedPod {
  readonly profileId: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The API server has refused the pods of a resource profile. */
export interface Refusal {
  /** In a row. */
  readonly times: number;
  /** Until then nothing is asked for, in milliseconds since the epoch. */
  readonly notBefore: number;
  /** The API server's words. */
  readonly message: string;
}

/** What an allocator remembers beside the snapshots: plain data, from which and from what is known the next follows. */
export interface AllocatorState {
  /** The highest id that was given or seen; 0 before the first. */
  readonly lastId: ExecutorId;
  /** Asked for, neither seen nor registered. */
  readonly requested: ReadonlyMap<ExecutorId, RequestedPod>;
  /** Registered with their driver and not seen yet, with their resource profiles. */
  readonly registeredUnseen: ReadonlyMap<ExecutorId, number>;
  /** Executors whose deletion was asked for, and when: they count no more, seen or not, and may not register. */
  readonly deleted: ReadonlyMap<ExecutorId, number>;
  /** By resource profile; none where the last attempt went well. */
  readonly refusals: ReadonlyMap<number, Refusal>;
  /** Persistent volume claims that were made for executors so far. */
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
