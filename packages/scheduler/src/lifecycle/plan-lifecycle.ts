import type { LifecycleAction } from "../actions/action.ts";
import type { ExecutorId, ExecutorPod } from "../executor-pod/executor-pod.ts";
import { podsSeen, type SnapshotDelivery } from "../snapshots/executor-pods-snapshot.ts";
import { planClearing } from "./plan-clearing.ts";
import { exitOfDeleted, exitOfEnded, exitOfMissing, exitOnRequest, type ExecutorExit } from "./exit-reason.ts";
import type { LifecycleSettings } from "./lifecycle-settings.ts";
import type { LifecycleState } from "./lifecycle-state.ts";

export interface LifecycleInput {
  readonly delivery: SnapshotDelivery;
  /** Executors that have registered with their driver, and when, in milliseconds since the epoch. */
  readonly registered: ReadonlyMap<ExecutorId, number>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface LifecyclePlan {
  readonly state: LifecycleState;
  /** Each executor's end, once. */
  readonly exits: readonly ExecutorExit[];
  readonly actions: readonly LifecycleAction[];
  /** How many failed executors still count. */
  readonly failures: number;
}

/**
 * Which executors have ended and why, and what to do with their pods. Pure.
 *
 * Counterpart of `ExecutorPodsLifecycleManager.onNewSnapshots` (Spark 3.5, 4.1). It differs in three ways. An executor that
 * was seen, and that no list shows any more, has ended even if it never registered. An end is not reported twice while the
 * pod is still there. And a deletion without effect is requested again, whether or not the pod changes.
 */
export function planLifecycle(
  before: LifecycleState,
  settings: LifecycleSettings,
  { delivery, registered, now }: LifecycleInput,
): LifecyclePlan {
  const { pods, fullSnapshotAt } = delivery.last;
  const removed = new Map(before.removed);
  const alive = new Map(before.alive);
  const failures = new Map(before.failures);
  const exits: ExecutorExit[] = [];

  function end(exit: ExecutorExit): void {
    alive.delete(exit.id);
    const isKnown = removed.has(exit.id);
    removed.set(exit.id, now);
    if (isKnown) return;
    const farewell = before.farewells.get(exit.id);
    exits.push(farewell === undefined ? exit : exitOnRequest(exit, farewell.kind));
  }

  for (const pod of podsSeen(delivery)) {
    // A pod that was marked as ended was handled before.
    if (pod.inactive) continue;
    if (pod.phase === "failed" && !failures.has(pod.id)) failures.set(pod.id, now);
    const exit = exitOf(pod);
    if (exit !== undefined) end(exit);
    else if (!removed.has(pod.id)) alive.set(pod.id, now);
  }
  for (const id of pods.keys()) {
    if (alive.has(id)) alive.set(id, now);
    else if (removed.has(id)) removed.set(id, now);
  }
  if (fullSnapshotAt !== before.comparedAt) {
    const missing = missingSince(pods, { alive, registered }, fullSnapshotAt - settings.missingPodDetectDeltaMs);
    for (const id of missing) if (!removed.has(id)) end(exitOfMissing(id));
  }
  const { actions, clearedAway } = planClearing(before, settings, { pods: pods.values(), now });
  const counted = recent(failures, settings.failuresValidityMs, now);
  return {
    state: {
      removed: new Map([...removed].filter(([, at]) => now - at < settings.removedCacheMs)),
      alive,
      clearedAway,
      farewells: new Map(
        [...before.farewells].filter(
          ([id, { at }]) => alive.has(id) || pods.has(id) || registered.has(id) || now - at < settings.removedCacheMs,
        ),
      ),
      comparedAt: fullSnapshotAt,
      failures: counted,
    },
    exits,
    actions,
    failures: counted.size,
  };
}

function exitOf(pod: ExecutorPod): ExecutorExit | undefined {
  if (pod.phase === "failed" || pod.phase === "succeeded") return exitOfEnded(pod);
  return pod.phase === "deleted" ? exitOfDeleted(pod) : undefined;
}

/** Executors that a list does not show, and that were last shown, or registered, before a time. */
function missingSince(
  pods: ReadonlyMap<ExecutorId, ExecutorPod>,
  { alive, registered }: Pick<LifecycleState, "alive"> & Pick<LifecycleInput, "registered">,
  before: number,
): ExecutorId[] {
  const lastShown = new Map(registered);
  for (const [id, at] of alive) lastShown.set(id, Math.max(at, registered.get(id) ?? 0));
  return [...lastShown].flatMap(([id, at]) => (!pods.has(id) && at < before ? [id] : []));
}

function recent(
  failures: ReadonlyMap<ExecutorId, number>,
  validityMs: number | undefined,
  now: number,
): ReadonlyMap<ExecutorId, number> {
  if (validityMs === undefined) return failures;
  return new Map([...failures].filter(([, at]) => now - at <= validityMs));
}
