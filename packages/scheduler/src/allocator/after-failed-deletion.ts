import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { AllocatorState } from "./allocator-state.ts";

/** The state after a failed request to delete some executors: they count again. */
export function afterFailedDeletion(state: AllocatorState, ids: readonly ExecutorId[]): AllocatorState {
  const deleted = new Map(state.deleted);
  for (const id of ids) deleted.delete(id);
  return { ...state, deleted };
}
