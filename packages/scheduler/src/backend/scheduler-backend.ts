import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { ExecutorExit } from "../lifecycle/exit-reason.ts";

/**
 * Controls how many executors an application has. Used by the application, or by code that decides for it.
 *
 * Counterpart of the part of `KubernetesClusterSchedulerBackend` (Spark 3.5) that handles pods.
 */
export interface SchedulerBackend {
  /** How many executors are wanted in all from now on, by resource profile; a profile that is left out wants none. */
  requestTotalExecutors(totals: ReadonlyMap<number, number>): void;
  /** These executors have been told to stop. Those that still run after the grace period are deleted. */
  killExecutors(ids: readonly ExecutorId[]): void;
  /** Decommissions executors: they hand over their work and stop, within their pods' grace period. */
  decommissionExecutors(ids: readonly ExecutorId[]): void;
  /** The listener is told once of each executor's end, until the result is called. It must not throw. */
  onExecutorRemoved(listener: (exit: ExecutorExit) => void): () => void;
}
