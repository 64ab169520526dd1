import type { SparkConf } from "@kindling/core-spec";
import { driverKeys } from "@kindling/steps";
import type { AllocatorSettings } from "../allocator/allocator-settings.ts";
import type { LifecycleSettings } from "../lifecycle/lifecycle-settings.ts";

/** How the executors of an application are allocated and watched. */
export interface SchedulerSettings {
  readonly allocator: AllocatorSettings;
  readonly lifecycle: LifecycleSettings;
  readonly sources: SourceSettings;
  /** How many executors the application begins with. */
  readonly initialExecutors: number;
}

/** How executor pods are watched. */
export interface SourceSettings {
  /** `spark.kubernetes.executor.enableApiWatcher` */
  readonly watches: boolean;
  /** `spark.kubernetes.executor.enableApiPolling` */
  readonly polls: boolean;
  /** `spark.kubernetes.executor.apiPollingInterval` */
  readonly pollingIntervalMs: number;
  /** `spark.kubernetes.executor.enablePollingWithResourceVersion` */
  readonly pollingResourceVersion: "newest" | "any";
}

const BACKOFF = { firstMs: 1_000, longestMs: 30_000 };

/** A constant in Spark 3.5, an internal key since then (`spark.kubernetes.executor.deletedExecutorsCacheTimeout`). */
const REMOVED_CACHE_MS = 180_000;

/**
 * Reads Spark's own keys, with its defaults for the version (Spark 3.5 and 4.1, deploy/k8s/Config.scala,
 * ExecutorAllocationManager, ExecutorFailureTracker).
 *
 * @throws KindlingError CONF_INVALID that names the key.
 */
export function schedulerSettings(conf: SparkConf): SchedulerSettings {
  const batchDelayMs = conf.get(driverKeys.BATCH_DELAY);
  const deleteOnTermination = conf.get(driverKeys.DELETE_ON_TERMINATION);
  return {
    allocator: {
      batchDelayMs,
      batchSize: conf.get(driverKeys.BATCH_SIZE),
      maxPendingPods: conf.get(driverKeys.MAX_PENDING_PODS),
      maxPendingPodsPerProfile: conf.get(driverKeys.MAX_PENDING_PODS_PER_RP),
      podCreationTimeoutMs: Math.max(5 * batchDelayMs, conf.get(driverKeys.ALLOCATION_EXECUTOR_TIMEOUT)),
      executorIdleTimeoutMs: conf.get(driverKeys.EXECUTOR_IDLE_TIMEOUT) * 1000,
      maximum: conf.get(driverKeys.ALLOCATION_MAXIMUM),
      deleteOnTermination,
      backoff: BACKOFF,
    },
    lifecycle: {
      eventProcessingIntervalMs: conf.get(driverKeys.EVENT_PROCESSING_INTERVAL),
      deleteOnTermination,
      missingPodDetectDeltaMs: conf.get(driverKeys.MISSING_POD_DETECT_DELTA),
      removedCacheMs: REMOVED_CACHE_MS,
      deleteGracePeriodMs: conf.get(driverKeys.DELETE_GRACE_PERIOD),
      maxExecutorFailures: conf.get(driverKeys.MAX_EXECUTOR_FAILURES) ?? Math.max(3, 2 * mostExecutors(conf)),
      failuresValidityMs: conf.get(driverKeys.FAILURES_VALIDITY_INTERVAL),
    },
    sources: {
      watches: conf.get(driverKeys.ENABLE_API_WATCHER),
      polls: conf.get(driverKeys.ENABLE_API_POLLING),
      pollingIntervalMs: conf.get(driverKeys.API_POLLING_INTERVAL),
      pollingResourceVersion: conf.get(driverKeys.POLLING_WITH_RESOURCE_VERSION) ? "any" : "newest",
    },
    initialExecutors: initialExecutors(conf),
  };
}

/** Utils.getDynamicAllocationInitialExecutors; without dynamic allocation `spark.executor.instances`. */
function initialExecutors(conf: SparkConf): number {
  const instances = conf.get(driverKeys.EXECUTOR_INSTANCES);
  if (!conf.get(driverKeys.DYNAMIC_ALLOCATION)) return instances;
  const fewest = conf.get(driverKeys.DYNAMIC_MIN_EXECUTORS);
  const given = conf.has(driverKeys.EXECUTOR_INSTANCES) ? instances : 0;
  return Math.max(fewest, conf.get(driverKeys.DYNAMIC_INITIAL_EXECUTORS) ?? fewest, given);
}

/** The number of executors by which failures are measured: 0 if it is not configured (Spark 3.5, ExecutorFailureTracker). */
function mostExecutors(conf: SparkConf): number {
  if (conf.get(driverKeys.DYNAMIC_ALLOCATION)) return conf.get(driverKeys.DYNAMIC_MAX_EXECUTORS);
  return conf.has(driverKeys.EXECUTOR_INSTANCES) ? conf.get(driverKeys.EXECUTOR_INSTANCES) : 0;
}
