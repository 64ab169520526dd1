import type { SparkApplicationSpec } from "@kindling/spark-application";
import { entry } from "./conf-entries.ts";
import type { ConfEntry } from "./translation.ts";

const PREFIX = "spark.dynamicAllocation.";

/**
 * If it is not enabled, there are no entries, so that sparkConf may enable it (kubeflow/spark-operator v2.5.2,
 * `dynamicAllocationOption`).
 */
export function dynamicAllocation({
  dynamicAllocation: wanted,
}: Pick<SparkApplicationSpec, "dynamicAllocation">): readonly ConfEntry[] {
  if (wanted?.enabled !== true) return [];
  return [
    [`${PREFIX}enabled`, "true"],
    ...entry(`${PREFIX}initialExecutors`, wanted.initialExecutors),
    ...entry(`${PREFIX}minExecutors`, wanted.minExecutors),
    ...entry(`${PREFIX}maxExecutors`, wanted.maxExecutors),
    ...entry(`${PREFIX}shuffleTracking.enabled`, wanted.shuffleTrackingEnabled ?? true),
    ...entry(`${PREFIX}shuffleTracking.timeout`, wanted.shuffleTrackingTimeout),
  ];
}
