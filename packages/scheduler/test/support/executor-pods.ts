import type { ExecutorPod } from "../../src/executor-pod/executor-pod.ts";
import type { SnapshotChange, SnapshotDelivery } from "../../src/snapshots/executor-pods-snapshot.ts";

/** An arbitrary time, in milliseconds since the epoch. */
export const NOW = Date.UTC(2026, 0, 1);

/** A pending executor pod of profile 0, created a second ago, with some changes. */
export function pod(id: number, changed: Partial<ExecutorPod> = {}): ExecutorPod {
  return {
    id,
    name: `exec-${id}`,
    uid: `uid-${id}`,
    profileId: 0,
    phase: "pending",
    created: NOW - 1_000,
    deleting: false,
    inactive: false,
    reason: undefined,
    message: undefined,
    termination: undefined,
    claims: [],
    ...changed,
  };
}

export function running(...ids: readonly number[]): ExecutorPod[] {
  return ids.map((id) => pod(id, { phase: "running" }));
}

/** The first delivery to a subscriber: all of these pods. */
export function listed(pods: readonly ExecutorPod[], at: number = NOW): SnapshotDelivery {
  const snapshot = { pods: new Map(pods.map((one) => [one.id, one])), fullSnapshotAt: at };
  return { changes: [{ kind: "replaced", snapshot }], last: snapshot };
}

/** A delivery without changes since these pods were listed. */
export function unchanged(pods: readonly ExecutorPod[]): SnapshotDelivery {
  return { ...listed(pods), changes: [] };
}

/** Some changes, and the pods that are there after them. */
export function changed(changes: readonly SnapshotChange[], pods: readonly ExecutorPod[]): SnapshotDelivery {
  return { ...listed(pods), changes };
}
