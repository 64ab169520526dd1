import type { LifecycleAction } from "../actions/action.ts";
import type { ExecutorId, ExecutorPod } from "../executor-pod/executor-pod.ts";
import type { LifecycleSettings } from "./lifecycle-settings.ts";
import type { LifecycleState } from "./lifecycle-state.ts";

export interface Clearing {
  readonly actions: readonly LifecycleAction[];
  /** Requests without effect so far, and when they were made, in milliseconds since the epoch. */
  readonly clearedAway: ReadonlyMap<ExecutorId, number>;
}

/** A request without effect is repeated after this time, which is Spark's polling interval. */
const CLEAR_AGAIN_MS = 30_000;

/** What to do with the pods of executors that have ended or were told to stop. */
export function planClearing(
  before: LifecycleState,
  settings: LifecycleSettings,
  { pods, now }: { readonly pods: Iterable<ExecutorPod>; readonly now: number },
): Clearing {
  const actions: LifecycleAction[] = [];
  const clearedAway = new Map<ExecutorId, number>();
  const killed: ExecutorId[] = [];
  const decommissioned: ExecutorId[] = [];
  for (const pod of pods) {
    const { id, name, uid } = pod;
    const due = dueFor(pod, before, settings, now);
    if (due === undefined) continue;
    const lastTime = before.clearedAway.get(id);
    const isTime = lastTime === undefined || now - lastTime >= CLEAR_AGAIN_MS;
    clearedAway.set(id, isTime ? now : lastTime);
    if (!isTime) continue;
    if (due === "delete-killed") killed.push(id);
    else if (due === "decommission") decommissioned.push(id);
    else if (due === "mark-inactive") actions.push({ kind: due, id, pod: name });
    else actions.push({ kind: due, id, pod: name, uid });
  }
  if (killed.length > 0) actions.push({ kind: "delete-killed", ids: killed });
  if (decommissioned.length > 0) actions.push({ kind: "decommission", ids: decommissioned });
  return { actions, clearedAway };
}

function dueFor(
  pod: ExecutorPod,
  { farewells }: LifecycleState,
  { deleteOnTermination, deleteGracePeriodMs }: LifecycleSettings,
  now: number,
): LifecycleAction["kind"] | undefined {
  switch (pod.phase) {
    case "failed":
    case "succeeded":
      if (pod.inactive) return undefined;
      if (!deleteOnTermination) return "mark-inactive";
      return pod.deleting ? undefined : "delete-ended";
    case "pending":
    case "running": {
      const farewell = farewells.get(pod.id);
      if (farewell === undefined || pod.deleting) return undefined;
      if (farewell.kind === "decommissioned") return "decommission";
      return now - farewell.at >= deleteGracePeriodMs ? "delete-killed" : undefined;
    }
    case "deleted":
    case "terminating":
    case "unknown":
      return undefined;
  }
}
