import type { ExecutorId, ExecutorPod } from "../executor-pod/executor-pod.ts";
import type { RequestedPod } from "./allocator-state.ts";
import type { Notice } from "./notice.ts";

/** The executors of one resource profile. Ended executors do not count. */
export interface ProfileCount {
  readonly profileId: number;
  readonly target: number;
  readonly running: number;
  /** Shown as pending, but already registered with their driver. */
  readonly pendingRegistered: number;
  /** Pending and not registered. */
  readonly pending: readonly ExecutorPod[];
  readonly requested: readonly (readonly [ExecutorId, RequestedPod])[];
  readonly registeredUnseen: number;
}

export interface Countable {
  readonly pods: Iterable<ExecutorPod>;
  readonly notice: Notice;
  /** Whether there is no other profile: then all pods belong to it, whatever their labels say. */
  readonly isOnly: boolean;
  readonly isRegistered: (id: ExecutorId) => boolean;
}

export function countProfile(
  { profileId, target }: Pick<ProfileCount, "profileId" | "target">,
  { pods, notice, isOnly, isRegistered }: Countable,
): ProfileCount {
  const isOwn = (id: number): boolean => isOnly || id === profileId;
  const pending: ExecutorPod[] = [];
  let running = 0;
  let pendingRegistered = 0;
  for (const pod of pods) {
    if (!isOwn(pod.profileId) || notice.deleted.has(pod.id)) continue;
    if (pod.phase === "running") running += 1;
    else if (pod.phase !== "pending") continue;
    else if (isRegistered(pod.id)) pendingRegistered += 1;
    else pending.push(pod);
  }
  return {
    profileId,
    target,
    running,
    pendingRegistered,
    pending,
    requested: [...notice.requested].filter(([id, request]) => isOwn(request.profileId) && !notice.deleted.has(id)),
    registeredUnseen: [...notice.registeredUnseen.values()].filter(isOwn).length,
  };
}

/** How many executors are not running, or not known to be running. */
export function notRunning(count: ProfileCount): number {
  return count.pendingRegistered + count.registeredUnseen + waiting(count);
}

/** How many executors are requested or pending, and not registered yet. */
export function waiting({ pending, requested }: ProfileCount): number {
  return pending.length + requested.length;
}

export function total(count: ProfileCount): number {
  return count.running + notRunning(count);
}

export function withoutExcess(count: ProfileCount, excess: ReadonlySet<ExecutorId>): ProfileCount {
  return {
    ...count,
    pending: count.pending.filter(({ id }) => !excess.has(id)),
    requested: count.requested.filter(([id]) => !excess.has(id)),
  };
}
