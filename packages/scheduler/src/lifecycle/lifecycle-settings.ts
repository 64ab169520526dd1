/** What becomes of executors that have ended. The names in brackets are Spark's keys of the same meaning. */
export interface LifecycleSettings {
  /** From one look to the next (`spark.kubernetes.executor.eventProcessingInterval`). */
  readonly eventProcessingIntervalMs: number;
  /** Whether their pods are deleted, or else marked and kept (`spark.kubernetes.executor.deleteOnTermination`). */
  readonly deleteOnTermination: boolean;
  /** An executor that no list has shown for longer than this is lost (`spark.kubernetes.executor.missingPodDetectDelta`). */
  readonly missingPodDetectDeltaMs: number;
  /** For so long, and while its pod is there, an executor's end is not told again
   * (`spark.kubernetes.executor.deletedExecutorsCacheTimeout`). */
  readonly removedCacheMs: number;
  /** How long an executor that was told to stop may take, before its pod is deleted
   * (`spark.kubernetes.dynamicAllocation.deleteGracePeriod`). */
  readonly deleteGracePeriodMs: number;
  /** More failed executors than this are the failure of the application (`spark.executor.maxNumFailures`). */
  readonly maxExecutorFailures: number;
  /** A failure counts for so long; `undefined`: for ever (`spark.executor.failuresValidityInterval`). */
  readonly failuresValidityMs: number | undefined;
}
