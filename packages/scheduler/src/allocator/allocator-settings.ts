/** How executors are asked for. The names in brackets are Spark's keys of the same meaning. */
export interface AllocatorSettings {
  /** From one round to the next (`spark.kubernetes.allocation.batch.delay`). */
  readonly batchDelayMs: number;
  /** Of one resource profile in one round (`spark.kubernetes.allocation.batch.size`). */
  readonly batchSize: number;
  /** `spark.kubernetes.allocation.maxPendingPods` */
  readonly maxPendingPods: number;
  /** `spark.kubernetes.allocation.maxPendingPodsPerRp` */
  readonly maxPendingPodsPerProfile: number;
  /** After so long without being seen, an executor that was asked for is given up (the larger of five batch delays and
   * `spark.kubernetes.allocation.executor.timeout`). */
  readonly podCreationTimeoutMs: number;
  /** An executor that is not needed and has been pending for so long is deleted (`spark.dynamicAllocation.executorIdleTimeout`). */
  readonly executorIdleTimeoutMs: number;
  /** No executor gets this id or a higher one (`spark.kubernetes.allocation.maximum`). */
  readonly maximum: number;
  /** Whether pods that were given up are deleted (`spark.kubernetes.executor.deleteOnTermination`). */
  readonly deleteOnTermination: boolean;
  /** How long a resource profile waits after its first refusal in a row, and at most. Spark has no such wait. */
  readonly backoff: Backoff;
}

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}
