/** How executors are requested. The names in brackets are Spark's keys with the same meaning. */
export interface AllocatorSettings {
  /** The time between two rounds (`spark.kubernetes.allocation.batch.delay`). */
  readonly batchDelayMs: number;
  /** The most executors of one resource profile in one round (`spark.kubernetes.allocation.batch.size`). */
  readonly batchSize: number;
  /** `spark.kubernetes.allocation.maxPendingPods` */
  readonly maxPendingPods: number;
  /** `spark.kubernetes.allocation.maxPendingPodsPerRp` */
  readonly maxPendingPodsPerProfile: number;
  /**
   * A requested executor that was not seen for so long is given up (the larger of five batch delays and
   * `spark.kubernetes.allocation.executor.timeout`).
   */
  readonly podCreationTimeoutMs: number;
  /**
   * An executor that is not needed and has been pending for this time is deleted
   * (`spark.dynamicAllocation.executorIdleTimeout`).
   */
  readonly executorIdleTimeoutMs: number;
  /** No executor gets this id or a higher one (`spark.kubernetes.allocation.maximum`). */
  readonly maximum: number;
  /** Whether pods that were given up are deleted (`spark.kubernetes.executor.deleteOnTermination`). */
  readonly deleteOnTermination: boolean;
  /** How long a resource profile waits after the first refusal in a row, and the longest wait. Spark has no such wait. */
  readonly backoff: Backoff;
}

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}
