import type { CreateOutcome } from "./create-outcome.ts";
import type { ExecutorId } from "../executor-pod/executor-pod.ts";

/**
 * The executor pods of one application in the cluster, as allocation and lifecycle change them. All methods except `create`
 * reject if the API server cannot be asked; a pod that is already gone is no error.
 */
export interface ExecutorPods {
  /** Never rejects: the outcome tells what went wrong. */
  create(id: ExecutorId, profileId: number): Promise<CreateOutcome>;
  /** Deletes the pods in phase Pending. */
  deletePending(ids: readonly ExecutorId[]): Promise<void>;
  /** Deletes the pods in any phase, with the pods' own grace period. */
  deleteAny(ids: readonly ExecutorId[]): Promise<void>;
  /** Deletes one pod, unless another pod has its name now. */
  deleteOne(pod: string, uid: string): Promise<void>;
  /** Adds the label `spark-exec-inactive`. */
  markInactive(pod: string): Promise<void>;
}
