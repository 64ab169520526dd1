import type { ExecutorId } from "../pods/executor-pod.ts";

/** What is to be done in the cluster, as data: the pure core decides, and an actor carries it out. */
export type Action = AllocatorAction | LifecycleAction;

/** What an allocator asks for. */
export type AllocatorAction =
  /** Make the pod of a new executor, and the claims that it needs. */
  | { readonly kind: "create"; readonly id: ExecutorId; readonly profileId: number }
  /** Delete pods, as far as they do not run yet: one that runs by now was in time. */
  | { readonly kind: "delete-pending"; readonly ids: readonly ExecutorId[] }
  /** Delete pods that were asked for and never seen. */
  | { readonly kind: "delete-unseen"; readonly ids: readonly ExecutorId[] };

/** What a lifecycle manager asks for. */
export type LifecycleAction =
  /** Delete the pod of an executor that has ended. */
  | { readonly kind: "delete-ended"; readonly id: ExecutorId; readonly pod: string; readonly uid: string }
  /** Mark the pod of an executor that has ended, and keep it for people to look at. */
  | { readonly kind: "mark-inactive"; readonly id: ExecutorId; readonly pod: string }
  /** Delete the pods of executors that were told to stop and did not. */
  | { readonly kind: "delete-killed"; readonly ids: readonly ExecutorId[] }
  /** Have executors hand over their work and stop: their pods are deleted, in the time that the pods themselves give. */
  | { readonly kind: "decommission"; readonly ids: readonly ExecutorId[] };
