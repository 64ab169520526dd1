import type { ExecutorId, ExecutorPod } from "../executor-pod/executor-pod.ts";

/** The known executor pods of one application at one moment (ExecutorPodsSnapshot). */
export interface ExecutorPodsSnapshot {
  readonly pods: ReadonlyMap<ExecutorId, ExecutorPod>;
  /** The time of the last complete list, in milliseconds since the epoch; 0 before the first one. */
  readonly fullSnapshotAt: number;
}

/** A change of what is known: about one pod, or about all at once. */
export type SnapshotChange =
  | { readonly kind: "updated"; readonly pod: ExecutorPod }
  /** The pod is no longer in the cluster; this is its last state. */
  | { readonly kind: "removed"; readonly pod: ExecutorPod }
  | { readonly kind: "replaced"; readonly snapshot: ExecutorPodsSnapshot };

/** What a subscriber gets: all changes since the last delivery, and the resulting snapshot. */
export interface SnapshotDelivery {
  /** In order; empty if nothing has changed. The first delivery begins with the complete state. */
  readonly changes: readonly SnapshotChange[];
  readonly last: ExecutorPodsSnapshot;
}

/** The pods of a list by id. If several have the same id, the newest counts; only a person can have created these. */
export function snapshotOf(pods: readonly ExecutorPod[], fullSnapshotAt: number): ExecutorPodsSnapshot {
  const byId = new Map<ExecutorId, ExecutorPod>();
  for (const pod of pods) {
    const other = byId.get(pod.id);
    if (other === undefined || other.created <= pod.created) byId.set(pod.id, pod);
  }
  return { pods: byId, fullSnapshotAt };
}

/** All states of pods in a delivery, in order, including outdated ones. */
export function* podsSeen({ changes }: SnapshotDelivery): Generator<ExecutorPod> {
  for (const change of changes) {
    if (change.kind === "replaced") yield* change.snapshot.pods.values();
    else yield change.pod;
  }
}
