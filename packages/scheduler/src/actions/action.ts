import type { ExecutorId } from "../executor-pod/executor-pod.ts";

/** What is to be done in the cluster, as data: the pure core decides, and an actor carries it out. */
export type Action = AllocatorAction | LifecycleAction;

/** What an allocator asks for. */
export type AllocatorAction =
  /** Create the pod of a new executor, and the claims that it needs. */
  | { readonly kind: "create"; readonly id: ExecutorId; readonly profileId: number }
  /** Delete pods that do not run yet; a pod that has begun to run stays. */
  | { readonly kind: "delete-pending"; readonly ids: readonly ExecutorId[] }
  /** Delete pods that were requested but never seen. */
  | { readonly kind: "delete-unseen"; readonly ids: readonly ExecutorId[] };

/** What a lifecycle manager asks for. */
export type LifecycleAction =
  /** Delete the pod of an executor that has ended. */
  | { readonly kind: "delete-ended"; readonly id: ExecutorId; readonly pod: string; readonly uid: string }
  /** Mark the pod of an executor that has ended, and keep it for people to look at. */
  | { readonly kind: "mark-inactive"; readonly id: ExecutorId; readonly pod: string }
  /** Delete the pods of executors that were told to stop and did not. */
  | { readonly kind: "delete-killed"; readonly ids: readonly ExecutorId[] }
  /** Decommission executors: their pods are deleted with the pods' own grace period, so that they hand over their work. */
  | { readonly kind: "decommission"; readonly ids: readonly ExecutorId[] };
