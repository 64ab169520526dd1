import type { CreateOutcome } from "./create-outcome.ts";
import type { ExecutorId } from "../pods/executor-pod.ts";

/**
 * The executor pods of one application in the cluster, as allocation and lifecycle change them. All but `create` reject
 * where the API server cannot be asked; what is not there any more is no error.
 */
export interface ExecutorPods {
  /** Never rejects: the outcome tells what went wrong. */
  create(id: ExecutorId, profileId: number): Promise<CreateOutcome>;
  /** Deletes those that are in phase Pending. */
  deletePending(ids: readonly ExecutorId[]): Promise<void>;
  /** Deletes them in whatever phase, in the time that the pods themselves give. */
  deleteAny(ids: readonly ExecutorId[]): Promise<void>;
  /** Deletes one pod, unless another has its name by now. */
  deleteOne(pod: string, uid: string): Promise<void>;
  /** Adds the label `spark-exec-inactive`. */
  markInactive(pod: string): Promise<void>;
}
