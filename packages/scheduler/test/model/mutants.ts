/** A fault that is put into the library, to check that the model notices it. */
export interface Mutant {
  /** What goes wrong. */
  readonly name: string;
  /** In `src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: "one executor too many is made",
    file: "allocator/plan-creations.ts",
    from: "count.target - total(count),",
    to: "count.target - total(count) + 1,",
  },
  {
    name: "pending pods have no limit",
    file: "allocator/plan-creations.ts",
    from: "settings.maxPendingPods - counts",
    to: "1_000 - counts",
  },
  {
    name: "pending pods of a profile have no limit",
    file: "allocator/plan-creations.ts",
    from: "settings.maxPendingPodsPerProfile - notRunning(count),",
    to: "1_000,",
  },
  {
    name: "executors are made before the first list has come",
    file: "allocator/plan-creations.ts",
    from: "slots <= 0 || delivery.last.fullSnapshotAt === 0",
    to: "slots <= 0",
  },
  {
    name: "nothing is asked for after a refusal, for ever",
    file: "allocator/plan-creations.ts",
    from: "now < refusal.notBefore ? 0 : 1",
    to: "0",
  },
  {
    name: "a request that was seen is still waited for",
    file: "allocator/notice.ts",
    from: "    lastId = Math.max(lastId, id);\n    requested.delete(id);",
    to: "    lastId = Math.max(lastId, id);",
  },
  {
    name: "ids begin at 1 again after a restart",
    file: "allocator/notice.ts",
    from: "lastId = Math.max(lastId, id);",
    to: "",
  },
  {
    name: "a request that is never seen is waited for, for ever",
    file: "allocator/notice.ts",
    from: "now - at > podCreationTimeoutMs ? [id] : []",
    to: "[]",
  },
  {
    name: "an executor that ran in time counts as deleted",
    file: "allocator/notice.ts",
    from: 'pod.phase !== "running"',
    to: "true",
  },
  {
    name: "registered executors that were not seen do not count",
    file: "allocator/profile-count.ts",
    from: "count.pendingRegistered + count.registeredUnseen + waiting(count)",
    to: "count.pendingRegistered + waiting(count)",
  },
  {
    name: "pending executors that are too many stay",
    file: "allocator/excess.ts",
    from: "[...unseen, ...pending].slice(0, tooMany)",
    to: "unseen.slice(0, tooMany)",
  },
  {
    name: "running executors are deleted with the pending ones",
    file: "allocator/executor-pods-allocator.ts",
    from: 'kind === "delete-pending" ? pods.deletePending(ids) : pods.deleteAny(ids)',
    to: "pods.deleteAny(ids)",
  },
  {
    name: "a deletion that failed counts as done",
    file: "allocator/executor-pods-allocator.ts",
    from: 'if (kind === "delete-pending") this.#state = afterFailedDeletion(this.#state, ids);',
    to: "",
  },
  {
    name: "a create without an answer counts as refused",
    file: "allocator/after-creations.ts",
    from: 'case "unknown":',
    to: 'case "unknown":\n        requested.delete(id);',
  },
  {
    name: "the end of an executor is told again",
    file: "lifecycle/plan-lifecycle.ts",
    from: "if (isKnown) return;",
    to: "",
  },
  {
    name: "an end is forgotten while the pod is there",
    file: "lifecycle/plan-lifecycle.ts",
    from: "else if (removed.has(id)) removed.set(id, now);",
    to: "",
  },
  {
    name: "an executor that succeeds has no end",
    file: "lifecycle/plan-lifecycle.ts",
    from: 'pod.phase === "failed" || pod.phase === "succeeded"',
    to: 'pod.phase === "failed"',
  },
  {
    name: "an executor counts as missing as soon as a list does not show it",
    file: "lifecycle/plan-lifecycle.ts",
    from: "fullSnapshotAt - settings.missingPodDetectDeltaMs",
    to: "fullSnapshotAt + 1",
  },
  {
    name: "nobody ever counts as missing",
    file: "lifecycle/plan-lifecycle.ts",
    from: "!pods.has(id) && at < before ? [id] : []",
    to: "[]",
  },
  {
    name: "an executor that was killed is blamed for its end",
    file: "lifecycle/plan-lifecycle.ts",
    from: "farewell === undefined ? exit : exitOnRequest(exit, farewell.kind)",
    to: "exit",
  },
  {
    name: "who was told to stop need not",
    file: "lifecycle/plan-clearing.ts",
    from: 'now - farewell.at >= deleteGracePeriodMs ? "delete-killed" : undefined',
    to: "undefined",
  },
  {
    name: "pods of executors that have ended stay",
    file: "lifecycle/plan-clearing.ts",
    from: 'pod.deleting ? undefined : "delete-ended"',
    to: "undefined",
  },
  {
    name: "a deletion without effect is not tried again",
    file: "lifecycle/plan-clearing.ts",
    from: "lastTime === undefined || now - lastTime >= CLEAR_AGAIN_MS",
    to: "lastTime === undefined",
  },
  {
    name: "nobody is told of a pod that is gone",
    file: "snapshots/executor-pods-snapshots-store.ts",
    from: '    this.#tell({ kind: "removed"',
    to: '    if (ended) this.#tell({ kind: "removed"',
  },
];
