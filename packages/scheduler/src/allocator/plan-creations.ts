import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { AllocatorSettings } from "./allocator-settings.ts";
import type { Refusal } from "./allocator-state.ts";
import { mayClaim, withClaimsOf, type ClaimCount } from "./claim-budget.ts";
import type { Notice } from "./notice.ts";
import type { AllocationInput } from "./allocation-input.ts";
import { notRunning, total, type ProfileCount } from "./profile-count.ts";

export interface PlannedCreation {
  readonly id: ExecutorId;
  readonly profileId: number;
}

export interface PlannedCreations {
  readonly creations: readonly PlannedCreation[];
  readonly lastId: ExecutorId;
}

/**
 * One batch for each resource profile that wants executors, once its last batch has been seen. The room that `maxPendingPods`
 * leaves is divided evenly among them; the rest goes to the first ones.
 */
export function planCreations(
  counts: readonly ProfileCount[],
  { lastId, refusals, claims }: Pick<Notice, "lastId" | "refusals"> & Pick<ClaimCount, "claims">,
  settings: AllocatorSettings,
  { delivery, claimBudget, now }: AllocationInput,
): PlannedCreations {
  const slots = settings.maxPendingPods - counts.reduce((sum, count) => sum + notRunning(count), 0);
  const wanting = counts.filter((count) => count.requested.length === 0 && total(count) < count.target);
  // Before the first whole list it is not known what an earlier allocator has created.
  if (slots <= 0 || delivery.last.fullSnapshotAt === 0) return { creations: [], lastId };
  const share = Math.floor(slots / wanting.length);
  const rest = slots % wanting.length;
  const creations: PlannedCreation[] = [];
  let claimCount: ClaimCount = { reusable: claimBudget?.reusable ?? 0, claims };
  for (const [index, count] of wanting.entries()) {
    const { profileId } = count;
    const batch = Math.min(
      count.target - total(count),
      settings.batchSize,
      share + (index < rest ? 1 : 0),
      settings.maxPendingPodsPerProfile - notRunning(count),
      allowedAfter(refusals.get(profileId), now),
    );
    for (let more = 0; more < batch; more++) {
      const id = lastId + creations.length + 1;
      const isPossible = id < settings.maximum && (claimBudget === undefined || mayClaim(claimCount, claimBudget));
      if (!isPossible) break;
      if (claimBudget !== undefined) claimCount = withClaimsOf(claimCount, profileId, claimBudget);
      creations.push({ id, profileId });
    }
  }
  return { creations, lastId: lastId + creations.length };
}

/** After a refusal one executor is enough to find out whether there is room again. */
function allowedAfter(refusal: Refusal | undefined, now: number): number {
  if (refusal === undefined) return Number.POSITIVE_INFINITY;
  return now < refusal.notBefore ? 0 : 1;
}
