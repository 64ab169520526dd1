import type { AllocatorSettings } from "../../src/allocator/allocator-settings.ts";
import type { LifecycleSettings } from "../../src/lifecycle/lifecycle-settings.ts";

/** Spark's times, but shorter, so that they pass in short histories. */
export const ALLOCATOR: AllocatorSettings = {
  batchDelayMs: 1_000,
  batchSize: 3,
  maxPendingPods: 5,
  maxPendingPodsPerProfile: 4,
  podCreationTimeoutMs: 10_000,
  executorIdleTimeoutMs: 5_000,
  maximum: 2 ** 31 - 1,
  deleteOnTermination: true,
  backoff: { firstMs: 1_000, longestMs: 8_000 },
};

export const LIFECYCLE: LifecycleSettings = {
  eventProcessingIntervalMs: 1_000,
  deleteOnTermination: true,
  missingPodDetectDeltaMs: 8_000,
  removedCacheMs: 20_000,
  deleteGracePeriodMs: 3_000,
  maxExecutorFailures: 1_000_000,
  failuresValidityMs: undefined,
};
