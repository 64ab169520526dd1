import { parseBytes, type ByteUnit } from "@kindling/core-spec";
import type { SparkApplication, SparkPodSpec } from "@kindling/spark-application";
import { SchedulingFault } from "./scheduling-fault.ts";

/**
 * How much memory the pods of an application ask for, in whole MiB (kubeflow/spark-operator v2.5.2,
 * internal/scheduler/yunikorn/resourceusage/memory.go). Texts are in Spark's units; stock accepts no text without a unit.
 */

const MEBI = 1n << 20n;
const LEAST_OVERHEAD = 384 * 2 ** 20;
const OVERHEAD_FACTOR = { jvm: 0.1, other: 0.4 } as const;

/** @throws SchedulingFault for a text that is no size, or no factor */
export function driverMemory(application: SparkApplication): bigint {
  return heapAndOverhead(application, application.spec.driver) / MEBI;
}

/** @throws SchedulingFault for a text that is no size, or no factor */
export function executorMemory(application: SparkApplication): bigint {
  const bytes =
    heapAndOverhead(application, application.spec.executor) + pysparkBytes(application) + offHeapBytes(application);
  return bytes / MEBI;
}

function heapAndOverhead(application: SparkApplication, { memory, memoryOverhead }: SparkPodSpec): bigint {
  const factor = overheadFactor(application);
  const heap = memory === undefined ? 0n : bytes(memory, "m");
  if (memoryOverhead !== undefined) return heap + bytes(memoryOverhead, "m");
  return heap + BigInt(Math.trunc(Math.max(Number(heap) * factor, LEAST_OVERHEAD)));
}

function overheadFactor({ spec }: SparkApplication): number {
  const { memoryOverheadFactor: text, type } = spec;
  if (text === undefined) return type === "Java" || type === "Scala" ? OVERHEAD_FACTOR.jvm : OVERHEAD_FACTOR.other;
  if (/^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(text)) return Number(text);
  throw new SchedulingFault(
    `failed to parse memory overhead factor as float: strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

function pysparkBytes({ spec }: SparkApplication): bigint {
  const size = spec.sparkConf?.["spark.executor.pyspark.memory"];
  return size === undefined || spec.type !== "Python" ? 0n : bytes(size, "m");
}

function offHeapBytes({ spec }: SparkApplication): bigint {
  const isOn = (spec.sparkConf?.["spark.memory.offHeap.enabled"] ?? "false") !== "false";
  const size = spec.sparkConf?.["spark.memory.offHeap.size"];
  return isOn && size !== undefined ? bytes(size, "b") : 0n;
}

/** @param unit the unit of a number that has none */
function bytes(text: string, unit: ByteUnit): bigint {
  const size = parseBytes(/^\s*\d+\s*$/.test(text) ? `${text.trim()}${unit}` : text, "b");
  if (size === undefined) throw new SchedulingFault(`unable to parse byte string: ${text}`);
  return size;
}
