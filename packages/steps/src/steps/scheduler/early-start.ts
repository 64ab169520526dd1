import { SCHEDULER_EARLY_EXECUTORS_ANNOTATION, type SparkConf } from "@kindling/core-spec";
import { EXECUTOR_INSTANCES } from "../../keys/driver/allocation-keys.ts";
import { DYNAMIC_ALLOCATION } from "../../keys/driver/dynamic-allocation-keys.ts";
import { POD_NAME_PREFIX } from "../../keys/executor-name-key.ts";
import { PODS_ALLOCATOR } from "../basic/basic-executor.ts";
import { SCHEDULER, SCHEDULER_EARLY_START, SCHEDULER_EXECUTOR_STEPS } from "./scheduler-keys.ts";

// `KUBERNETES_EXECUTOR_POD_NAME_PREFIX` in Spark's Config.scala: the length of a subdomain minus `-exec-` and a number.
const LONGEST_PREFIX = 237;

/**
 * How many executors the gateway creates before the driver asks for them: all executors of an application without dynamic
 * allocation. The gateway itself finds out whether it can know what the driver will ask for.
 */
export function earlyExecutors(conf: SparkConf): number {
  const isGateways = conf.get(SCHEDULER) === "gateway" && conf.get(SCHEDULER_EXECUTOR_STEPS) === "gateway";
  // Without a gateway only the driver reads these keys.
  if (!isGateways || !conf.get(SCHEDULER_EARLY_START)) return 0;
  const isStatic = !conf.get(DYNAMIC_ALLOCATION) && conf.get(PODS_ALLOCATOR) === "direct";
  return isStatic ? Math.max(0, conf.get(EXECUTOR_INSTANCES)) : 0;
}

/** What the driver's pod and the driver are told, so that gateway and driver use the same names for executors. */
export interface EarlyStart {
  readonly annotations: Readonly<Record<string, string>>;
  readonly driverSparkConf: Readonly<Record<string, string>>;
}

/** @param namePrefix the prefix of the names of the application's objects */
export function earlyStart(conf: SparkConf, namePrefix: string): EarlyStart {
  const count = earlyExecutors(conf);
  const prefix = conf.get(POD_NAME_PREFIX) ?? namePrefix;
  if (count === 0 || prefix.length > LONGEST_PREFIX) return { annotations: {}, driverSparkConf: {} };
  return {
    annotations: { [SCHEDULER_EARLY_EXECUTORS_ANNOTATION]: String(count) },
    driverSparkConf: { [POD_NAME_PREFIX.key]: prefix },
  };
}
