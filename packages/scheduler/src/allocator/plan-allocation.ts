import type { AllocatorAction } from "../actions/action.ts";
import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { AllocationInput } from "./allocation-input.ts";
import type { AllocatorSettings } from "./allocator-settings.ts";
import type { AllocatorState } from "./allocator-state.ts";
import { excessOf } from "./excess.ts";
import { takeNotice } from "./notice.ts";
import { planCreations } from "./plan-creations.ts";
import { countProfile, waiting, withoutExcess } from "./profile-count.ts";

export interface AllocationPlan {
  readonly state: AllocatorState;
  /** In this order. */
  readonly actions: readonly AllocatorAction[];
  /** How many pods do not run yet and are not registered. If there are none, new demand is handled at once. */
  readonly outstanding: number;
}

/**
 * What to do so that there are as many executors as are wanted. Pure.
 *
 * Counterpart of `ExecutorPodsAllocator.onNewSnapshots` (Spark 3.5, 4.1). It differs where Spark's allocator loops for ever
 * or goes wrong. After a refusal there is a wait and then one attempt. The deletion of a pod is requested again while it is
 * pending, and a pod that runs counts again. Nothing is requested before the first whole list, and ids continue after the
 * highest one seen, so that a new allocator takes over the executors of an earlier one.
 *
 * There are more executors than wanted only in three cases: one was given up after `podCreationTimeoutMs` but appears later;
 * a list was too old to show one; or the demand has fallen while they were running.
 */
export function planAllocation(
  before: AllocatorState,
  settings: AllocatorSettings,
  input: AllocationInput,
): AllocationPlan {
  const { delivery, targets, now } = input;
  const notice = takeNotice(before, settings, input);
  const profiles = [...targets].toSorted(([one], [other]) => one - other);
  const counts = profiles.map(([profileId, target]) =>
    countProfile(
      { profileId, target },
      { pods: delivery.last.pods.values(), notice, isOnly: profiles.length === 1, isRegistered: input.isRegistered },
    ),
  );
  const excess = new Set(counts.flatMap((count) => excessOf(count, settings, now)));
  const remaining = counts.map((count) => withoutExcess(count, excess));
  const { creations, lastId } = planCreations(remaining, { ...notice, claims: before.claims }, settings, input);
  const requested = new Map(notice.requested);
  for (const { id, profileId } of creations) requested.set(id, { profileId, at: now });
  const { timedOut, deleteAgain } = notice;
  const outOfTime = settings.deleteOnTermination ? timedOut : [];
  return {
    state: {
      ...before,
      lastId,
      requested,
      registeredUnseen: notice.registeredUnseen,
      deleted: new Map([...notice.deleted, ...[...deleteAgain, ...excess].map((id) => [id, now] as const)]),
      refusals: notice.refusals,
    },
    actions: [
      ...deletion("delete-unseen", outOfTime),
      ...deletion("delete-pending", [...deleteAgain, ...excess]),
      ...creations.map(({ id, profileId }) => ({ kind: "create", id, profileId }) as const),
    ],
    outstanding: remaining.reduce((sum, count) => sum + waiting(count), 0) + creations.length,
  };
}

function deletion(kind: "delete-unseen" | "delete-pending", ids: readonly ExecutorId[]): AllocatorAction[] {
  return ids.length === 0 ? [] : [{ kind, ids }];
}
