import type { ExecutorId } from "../pods/executor-pod.ts";
import type { ExecutorExit } from "../lifecycle/exit-reason.ts";

/**
 * How many executors an application has: what an application, or whoever decides for it, may ask for.
 *
 * Counterpart of the part of `KubernetesClusterSchedulerBackend` (Spark 3.5) that has to do with pods.
 */
export interface SchedulerBackend {
  /** How many executors are wanted in all from now on, by resource profile; a profile that is left out wants none. */
  requestTotalExecutors(totals: ReadonlyMap<number, number>): void;
  /** These executors have been told to stop. Whichever still runs after the grace period is deleted. */
  killExecutors(ids: readonly ExecutorId[]): void;
  /** Has executors hand over their work and stop, in the time that their pods give them. */
  decommissionExecutors(ids: readonly ExecutorId[]): void;
  /** The listener is told of each executor's end, once; the result ends that. It must not throw. */
  onExecutorRemoved(listener: (exit: ExecutorExit) => void): () => void;
}
