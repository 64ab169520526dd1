import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import { podsSeen } from "../snapshots/executor-pods-snapshot.ts";
import type { AllocatorSettings } from "./allocator-settings.ts";
import type { AllocatorState, Refusal, RequestedPod } from "./allocator-state.ts";
import type { AllocationInput } from "./allocation-input.ts";

/** The remembered state, updated with the latest changes. */
export interface Notice {
  readonly lastId: ExecutorId;
  readonly requested: ReadonlyMap<ExecutorId, RequestedPod>;
  readonly registeredUnseen: ReadonlyMap<ExecutorId, number>;
  readonly deleted: ReadonlyMap<ExecutorId, number>;
  readonly refusals: ReadonlyMap<number, Refusal>;
  /** Requested too long ago: given up. */
  readonly timedOut: readonly ExecutorId[];
  /** Still pending long after their deletion was requested. */
  readonly deleteAgain: readonly ExecutorId[];
}

/** A deletion without effect is requested again after this time, which is Spark's polling interval. */
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
  // An executor that registers before it is seen is running, too.
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

/** Which deletions are still in progress. For a pod that is not there, this lasts as long as a new pod may take to be seen. */
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

/** If one of the application's own executors has ended, its resources may be free, so the next attempt need not wait. */
function withoutWaits(refusals: ReadonlyMap<number, Refusal>): ReadonlyMap<number, Refusal> {
  return new Map([...refusals].map(([profileId, refusal]) => [profileId, { ...refusal, notBefore: 0 }]));
}
