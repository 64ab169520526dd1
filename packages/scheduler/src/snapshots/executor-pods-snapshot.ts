import type { ExecutorId, ExecutorPod } from "../pods/executor-pod.ts";

/** The executor pods of one application, as they were known at one moment (ExecutorPodsSnapshot). */
export interface ExecutorPodsSnapshot {
  readonly pods: ReadonlyMap<ExecutorId, ExecutorPod>;
  /** When all of them were last looked at together, in milliseconds since the epoch; 0 before the first time. */
  readonly fullSnapshotAt: number;
}

/** What came to be known: about one pod, or about all at once. */
export type SnapshotChange =
  | { readonly kind: "updated"; readonly pod: ExecutorPod }
  /** The pod is in the cluster no more; this is its last state. */
  | { readonly kind: "removed"; readonly pod: ExecutorPod }
  | { readonly kind: "replaced"; readonly snapshot: ExecutorPodsSnapshot };

/** What a subscriber is given: everything since it last looked, and where that leads. */
export interface SnapshotDelivery {
  /** In order; empty where nothing has changed. The first delivery begins with the whole. */
  readonly changes: readonly SnapshotChange[];
  readonly last: ExecutorPodsSnapshot;
}

/** The pods of a list by id. Of several with one id, which only a person can have made, the newest counts. */
export function snapshotOf(pods: readonly ExecutorPod[], fullSnapshotAt: number): ExecutorPodsSnapshot {
  const byId = new Map<ExecutorId, ExecutorPod>();
  for (const pod of pods) {
    const other = byId.get(pod.id);
    if (other === undefined || other.created <= pod.created) byId.set(pod.id, pod);
  }
  return { pods: byId, fullSnapshotAt };
}

/** Every pod that a delivery shows, in order: also in states that are over by its end. */
export function* podsSeen({ changes }: SnapshotDelivery): Generator<ExecutorPod> {
  for (const change of changes) {
    if (change.kind === "replaced") yield* change.snapshot.pods.values();
    else yield change.pod;
  }
}
