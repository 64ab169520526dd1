import type { SparkConf } from "@kindling/core-spec";
import { EXECUTOR_VOLUMES } from "../keys/prefixes.ts";
import { parseVolumes } from "./volume-spec.ts";

/**
 * Checks the volumes of executors while the application is submitted, as Spark does
 * (KubernetesConf.createDriverConf). Throws what {@link parseVolumes} throws.
 */
export function validateExecutorVolumes(conf: SparkConf): void {
  parseVolumes(conf, EXECUTOR_VOLUMES);
}
