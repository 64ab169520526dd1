/** How ended executors are handled. The names in brackets are Spark's keys with the same meaning. */
export interface LifecycleSettings {
  /** The time between two checks (`spark.kubernetes.executor.eventProcessingInterval`). */
  readonly eventProcessingIntervalMs: number;
  /** Whether their pods are deleted; otherwise they are marked and kept (`spark.kubernetes.executor.deleteOnTermination`). */
  readonly deleteOnTermination: boolean;
  /** An executor that no list has shown for longer than this is lost (`spark.kubernetes.executor.missingPodDetectDelta`). */
  readonly missingPodDetectDeltaMs: number;
  /**
   * An executor's end is not reported again for this time, and while its pod is there
   * (`spark.kubernetes.executor.deletedExecutorsCacheTimeout`).
   */
  readonly removedCacheMs: number;
  /** How long an executor that was told to stop may take, before its pod is deleted
   * (`spark.kubernetes.dynamicAllocation.deleteGracePeriod`). */
  readonly deleteGracePeriodMs: number;
  /** The application fails if more executors than this have failed (`spark.executor.maxNumFailures`). */
  readonly maxExecutorFailures: number;
  /** How long a failure counts; `undefined`: for ever (`spark.executor.failuresValidityInterval`). */
  readonly failuresValidityMs: number | undefined;
}
