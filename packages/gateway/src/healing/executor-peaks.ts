import type { MemorySize } from "@kindling/gateway-client";
import { objectAt, textAt } from "../json/fields.ts";

const MIB = 1024 * 1024;
/** What the processes of an executor take, Python's among them (ProcfsMetricsGetter; spark.executor.processTreeMetrics.enabled). */
const RESIDENT: readonly string[] = [
  "ProcessTreeJVMRSSMemory",
  "ProcessTreePythonRSSMemory",
  "ProcessTreeOtherRSSMemory",
];

/**
 * The most that one executor has used, in MiB, by the executors that Spark's REST API lists; `undefined` if it says nothing.
 *
 * @param before the most so far
 */
export function peakIn(executors: unknown, before: MemorySize | undefined): MemorySize | undefined {
  if (!Array.isArray(executors)) return before;
  let peak = before;
  for (const executor of executors) {
    if (textAt(executor, "id") === "driver") continue;
    const metrics = objectAt(executor, "peakMemoryMetrics");
    const heap = mebibytes(metrics["JVMHeapMemory"]);
    const total = RESIDENT.reduce((sum, name) => sum + mebibytes(metrics[name]), 0);
    if (heap === 0 || total === 0) continue;
    peak = { heap: Math.max(heap, peak?.heap ?? 0), total: Math.max(total, peak?.total ?? 0) };
  }
  return peak;
}

function mebibytes(bytes: unknown): number {
  return typeof bytes === "number" && bytes > 0 ? Math.ceil(bytes / MIB) : 0;
}
