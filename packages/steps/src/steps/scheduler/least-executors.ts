import { KindlingError, type ConfKey, type SparkConf } from "@kindling/core-spec";
import { EXECUTOR_INSTANCES } from "../../keys/driver/allocation-keys.ts";
import {
  DYNAMIC_ALLOCATION,
  DYNAMIC_INITIAL_EXECUTORS,
  DYNAMIC_MAX_EXECUTORS,
  DYNAMIC_MIN_EXECUTORS,
} from "../../keys/driver/dynamic-allocation-keys.ts";
import { SCHEDULER_MIN_EXECUTORS } from "./scheduler-keys.ts";

export const EXECUTOR_COUNT_KEYS: readonly ConfKey<unknown>[] = [
  DYNAMIC_ALLOCATION,
  DYNAMIC_MIN_EXECUTORS,
  DYNAMIC_INITIAL_EXECUTORS,
  DYNAMIC_MAX_EXECUTORS,
  EXECUTOR_INSTANCES,
];

/**
 * How many executors must fit before the driver starts: the user's value, else as many as the driver asks for at first
 * (SchedulerBackendUtils.getInitialTargetExecutorNumber, Utils.getDynamicAllocationInitialExecutors).
 *
 * @throws KindlingError `CONF_CONFLICT` if this is more than the driver will ever ask for
 */
export function leastExecutors(conf: SparkConf): number {
  const isDynamic = conf.get(DYNAMIC_ALLOCATION);
  const wanted = conf.get(SCHEDULER_MIN_EXECUTORS);
  if (wanted === undefined) return isDynamic ? initialExecutors(conf) : conf.get(EXECUTOR_INSTANCES);
  const bound = isDynamic ? DYNAMIC_MAX_EXECUTORS : EXECUTOR_INSTANCES;
  const most = conf.get(bound);
  if (wanted <= most) return wanted;
  throw new KindlingError(
    "CONF_CONFLICT",
    `${SCHEDULER_MIN_EXECUTORS.key}=${wanted} is more than the driver will ask for: ${bound.key} is ${most}`,
    { hint: `lower ${SCHEDULER_MIN_EXECUTORS.key}, or raise ${bound.key}` },
  );
}

function initialExecutors(conf: SparkConf): number {
  const least = conf.get(DYNAMIC_MIN_EXECUTORS);
  const instances = conf.has(EXECUTOR_INSTANCES) ? conf.get(EXECUTOR_INSTANCES) : 0;
  return Math.max(least, conf.get(DYNAMIC_INITIAL_EXECUTORS) ?? least, instances);
}
