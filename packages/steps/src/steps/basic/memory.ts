import { KindlingError, type ExecutorRequest, type Submission } from "@kindling/core-spec";
import {
  DRIVER_MEMORY,
  DRIVER_MEMORY_OVERHEAD,
  DRIVER_MEMORY_OVERHEAD_FACTOR,
  DRIVER_MIN_MEMORY_OVERHEAD,
  EXECUTOR_MEMORY,
  EXECUTOR_MEMORY_OVERHEAD,
  EXECUTOR_MEMORY_OVERHEAD_FACTOR,
  EXECUTOR_MIN_MEMORY_OVERHEAD,
  MEMORY_OVERHEAD_FACTOR,
  OFF_HEAP_ENABLED,
  OFF_HEAP_SIZE,
  PYSPARK_MEMORY,
} from "../../keys/resource-keys.ts";

// Before spark.*.minMemoryOverhead existed, the minimum overhead was fixed (ResourceProfile.MEMORY_OVERHEAD_MIN_MIB).
const FIXED_MIN_OVERHEAD_MIB = 384;
const NON_JVM_OVERHEAD_FACTOR = 0.4;
const INT_MAX = 2 ** 31 - 1;
const MIB = 1024 * 1024;

/**
 * The overhead factor if no more specific one is set; the driver also passes it on to executors (BasicDriverFeatureStep): the
 * user's value, else 0.4 for Python and R, 0.1 for the JVM.
 */
export function defaultOverheadFactor({ conf, mainApplication }: Submission): number {
  return mainApplication.language === "java" || conf.has(MEMORY_OVERHEAD_FACTOR)
    ? conf.get(MEMORY_OVERHEAD_FACTOR)
    : NON_JVM_OVERHEAD_FACTOR;
}

/** The memory of the driver pod in MiB: heap and overhead. */
export function driverMemory(submission: Submission): number {
  const { conf } = submission;
  const heap = conf.get(DRIVER_MEMORY);
  const factor = conf.has(DRIVER_MEMORY_OVERHEAD_FACTOR)
    ? conf.get(DRIVER_MEMORY_OVERHEAD_FACTOR)
    : defaultOverheadFactor(submission);
  const min = conf.version.has("minimum-memory-overhead")
    ? conf.get(DRIVER_MIN_MEMORY_OVERHEAD)
    : FIXED_MIN_OVERHEAD_MIB;
  const total = heap + (conf.get(DRIVER_MEMORY_OVERHEAD) ?? overhead(heap, factor, min));
  if (total <= Number.MAX_SAFE_INTEGER) return total;
  throw new KindlingError(
    "CONF_INVALID",
    `${DRIVER_MEMORY.key} and ${DRIVER_MEMORY_OVERHEAD.key} are together more than ${Number.MAX_SAFE_INTEGER} MiB`,
    { hint: "write a size that a machine has, such as 4g" },
  );
}

/** What decides the size of an executor. */
export type ExecutorSize = Pick<ExecutorRequest, "conf" | "resourceProfile">;

export interface ExecutorMemory {
  /** The JVM's heap in MiB: the value of SPARK_EXECUTOR_MEMORY. */
  readonly heap: number;
  /** The pod's memory in MiB: heap, overhead, and off-heap and Python memory if they are used. */
  readonly total: number;
}

/**
 * The memory of an executor (ResourceProfile.getResourcesForClusterManager). A resource profile's own values win; the default
 * overhead is still calculated from the default profile's heap, as in Spark.
 */
export function executorMemory({ conf, resourceProfile: profile }: ExecutorSize): ExecutorMemory {
  const defaultHeap = conf.get(EXECUTOR_MEMORY);
  const factor = conf.has(EXECUTOR_MEMORY_OVERHEAD_FACTOR)
    ? conf.get(EXECUTOR_MEMORY_OVERHEAD_FACTOR)
    : conf.get(MEMORY_OVERHEAD_FACTOR);
  const min = conf.version.has("minimum-memory-overhead")
    ? conf.get(EXECUTOR_MIN_MEMORY_OVERHEAD)
    : FIXED_MIN_OVERHEAD_MIB;

  const heap = profile.memory ?? defaultHeap;
  const overheadMemory =
    profile.memoryOverhead ?? conf.get(EXECUTOR_MEMORY_OVERHEAD) ?? overhead(defaultHeap, factor, min);
  const isPython = conf.raw("spark.kubernetes.resource.type") === "python";
  return { heap, total: heap + overheadMemory + besideHeap({ conf, resourceProfile: profile }, isPython) };
}

/** How much of an executor's memory has keys of its own, in MiB: off-heap memory, and Python's, if they are used. */
export function memoryBesideHeap({ conf, mainApplication }: Submission): number {
  const isPython = mainApplication.language === "python";
  return besideHeap({ conf, resourceProfile: { id: 0 } }, isPython);
}

function besideHeap({ conf, resourceProfile: profile }: ExecutorSize, isPython: boolean): number {
  const offHeapEnabled = conf.get(OFF_HEAP_ENABLED);
  const offHeap = offHeapEnabled ? (profile.offHeapMemory ?? Math.trunc(conf.get(OFF_HEAP_SIZE) / MIB)) : 0;
  return offHeap + (isPython ? (profile.pysparkMemory ?? conf.get(PYSPARK_MEMORY) ?? 0) : 0);
}

function overhead(heap: number, factor: number, min: number): number {
  return Math.max(Math.min(Math.trunc(factor * heap), INT_MAX), min);
}
