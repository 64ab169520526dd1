import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { AllocatorState, Refusal } from "./allocator-state.ts";
import type { Backoff } from "./allocator-settings.ts";
import type { CreateOutcome } from "../actions/create-outcome.ts";

/** An executor that should be created, and the result. */
export interface Creation {
  readonly id: ExecutorId;
  readonly profileId: number;
  readonly outcome: CreateOutcome;
}

/**
 * The state after a batch was carried out. Ids of refused executors are lost, as in Spark. All refusals in one batch count as
 * one: the profile waits, twice as long each time in a row, and then tries one executor.
 */
export function afterCreations(
  state: AllocatorState,
  creations: readonly Creation[],
  { now, backoff }: { readonly now: number; readonly backoff: Backoff },
): AllocatorState {
  const requested = new Map(state.requested);
  const refusals = new Map(state.refusals);
  const refused = new Map<number, string>();
  let { claims } = state;
  for (const { id, profileId, outcome } of creations) {
    switch (outcome.kind) {
      case "created":
        claims += outcome.claims;
        if (!refused.has(profileId)) refusals.delete(profileId);
        break;
      case "refused":
        refused.set(profileId, outcome.message);
        requested.delete(id);
        break;
      case "skipped":
        requested.delete(id);
        break;
      case "unknown":
        break;
    }
  }
  for (const [profileId, message] of refused) {
    refusals.set(profileId, nextRefusal(state.refusals.get(profileId), message, now, backoff));
  }
  return { ...state, requested, refusals, claims };
}

function nextRefusal(
  last: Refusal | undefined,
  message: string,
  now: number,
  { firstMs, longestMs }: Backoff,
): Refusal {
  const times = (last?.times ?? 0) + 1;
  // 2 ** 30 times any wait is longer than the longest wait.
  const wait = Math.min(longestMs, firstMs * 2 ** Math.min(times - 1, 30));
  return { times, notBefore: now + wait, message };
}
