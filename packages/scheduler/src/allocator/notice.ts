import type { ExecutorId } from "../pods/executor-pod.ts";
import { podsSeen } from "../snapshots/executor-pods-snapshot.ts";
import type { AllocatorSettings } from "./allocator-settings.ts";
import type { AllocatorState, Refusal, RequestedPod } from "./allocator-state.ts";
import type { AllocationInput } from "./allocation-input.ts";

/** What is remembered, after the latest news. */
export interface Notice {
  readonly lastId: ExecutorId;
  readonly requested: ReadonlyMap<ExecutorId, RequestedPod>;
  readonly registeredUnseen: ReadonlyMap<ExecutorId, number>;
  readonly deleted: ReadonlyMap<ExecutorId, number>;
  readonly refusals: ReadonlyMap<number, Refusal>;
  /** Asked for too long ago: given up. */
  readonly timedOut: readonly ExecutorId[];
  /** Still pending, long after their deletion was asked for. */
  readonly deleteAgain: readonly ExecutorId[];
}

/** After so long a deletion that shows no effect is asked for again: as often as Spark looks at all pods. */
const DELETE_AGAIN_MS = 30_000;

/** Compares what is remembered with what has been seen since. */
export function takeNotice(
  before: AllocatorState,
  { podCreationTimeoutMs }: AllocatorSettings,
  { delivery, isRegistered, now }: AllocationInput,
): Notice {
  const requested = new Map(before.requested);
  const registeredUnseen = new Map(before.registeredUnseen);
  let { lastId } = before;
  let hasRoomCome = false;
  for (const { id, phase } of podsSeen(delivery)) {
    lastId = Math.max(lastId, id);
    requested.delete(id);
    registeredUnseen.delete(id);
    hasRoomCome ||= phase !== "pending" && phase !== "running";
  }
  // One that registers before it is seen runs all the same.
  for (const [id, { profileId }] of requested) {
    if (!isRegistered(id)) continue;
    requested.delete(id);
    registeredUnseen.set(id, profileId);
  }
  for (const id of registeredUnseen.keys()) if (!isRegistered(id)) registeredUnseen.delete(id);
  const timedOut = [...requested].flatMap(([id, { at }]) => (now - at > podCreationTimeoutMs ? [id] : []));
  for (const id of timedOut) requested.delete(id);
  return {
    lastId,
    requested,
    registeredUnseen,
    ...deletions(before, podCreationTimeoutMs, { delivery, now }),
    refusals: hasRoomCome ? withoutWaits(before.refusals) : before.refusals,
    timedOut,
  };
}

/** Which deletions are still under way: of a pod that is not there for as long as it may take to be seen. */
function deletions(
  { deleted: before }: AllocatorState,
  podCreationTimeoutMs: number,
  { delivery, now }: Pick<AllocationInput, "delivery" | "now">,
): Pick<Notice, "deleted" | "deleteAgain"> {
  const deleted = new Map<ExecutorId, number>();
  const deleteAgain: ExecutorId[] = [];
  for (const [id, at] of before) {
    const pod = delivery.last.pods.get(id);
    const isUnderWay = pod === undefined ? now - at <= podCreationTimeoutMs : pod.phase !== "running";
    if (!isUnderWay) continue;
    deleted.set(id, at);
    if (pod?.phase === "pending" && now - at > DELETE_AGAIN_MS) deleteAgain.push(id);
  }
  return { deleted, deleteAgain };
}

/** An executor of the application's own has ended: what it had may be free, so the next attempt need not wait. */
function withoutWaits(refusals: ReadonlyMap<number, Refusal>): ReadonlyMap<number, Refusal> {
  return new Map([...refusals].map(([profileId, refusal]) => [profileId, { ...refusal, notBefore: 0 }]));
}
