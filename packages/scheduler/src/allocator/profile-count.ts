import type { ExecutorId, ExecutorPod } from "../pods/executor-pod.ts";
import type { RequestedPod } from "./allocator-state.ts";
import type { Notice } from "./notice.ts";

/** The executors of one resource profile, as far as they count: whoever has ended counts nowhere. */
export interface ProfileCount {
  readonly profileId: number;
  readonly target: number;
  readonly running: number;
  /** Pending, and registered with their driver all the same. */
  readonly pendingRegistered: number;
  /** Pending, and nobody has registered. */
  readonly pending: readonly ExecutorPod[];
  readonly requested: readonly (readonly [ExecutorId, RequestedPod])[];
  readonly registeredUnseen: number;
}

export interface Countable {
  readonly pods: Iterable<ExecutorPod>;
  readonly notice: Notice;
  /** Whether there is no other profile: then all pods are its own, whatever their labels say. */
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

/** Those that do not run, or are not known to. */
export function notRunning(count: ProfileCount): number {
  return count.pendingRegistered + count.registeredUnseen + waiting(count);
}

/** Those of whom nothing has been heard yet. */
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
