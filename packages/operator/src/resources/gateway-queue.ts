import { SCHEDULER } from "@kindling/steps";
import type { SparkApplication } from "@kindling/spark-application";
import { withSparkConf } from "./changed-application.ts";

const QUEUE = "spark.kindling.scheduler.queue";
const MIN_EXECUTORS = "spark.kindling.scheduler.minExecutors";

/**
 * Translates fields of an application into keys of the gateway. `batchSchedulerOptions.queue` is the queue.
 * `executor.instances`, or `minExecutors` of a dynamic allocation, is the number of executors that are enough to begin.
 * Keys of the gateway that are in sparkConf already stay. Only for applications that the gateway serves
 * (`spark.kindling.scheduler=gateway`).
 */
export function withGatewayQueue(application: SparkApplication): SparkApplication {
  const { sparkConf, batchSchedulerOptions } = application.spec;
  if (sparkConf?.[SCHEDULER.key] !== "gateway") return application;
  const queue = batchSchedulerOptions?.queue;
  const floor = leastExecutors(application);
  return withSparkConf(application, {
    ...(queue !== undefined && { [QUEUE]: queue }),
    ...(floor !== undefined && { [MIN_EXECUTORS]: String(floor) }),
    ...sparkConf,
  });
}

/** Undefined if only sparkConf has the number: the gateway reads it there. */
function leastExecutors({ spec }: SparkApplication): number | undefined {
  if (spec.dynamicAllocation?.enabled === true) return spec.dynamicAllocation.minExecutors;
  const isDynamic = spec.sparkConf?.["spark.dynamicAllocation.enabled"] === "true";
  return isDynamic ? undefined : spec.executor.instances;
}
