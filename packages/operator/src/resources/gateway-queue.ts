import { SCHEDULER } from "@kindling/steps";
import type { SparkApplication } from "@kindling/spark-application";
import { withSparkConf } from "./changed-application.ts";

const QUEUE = "spark.kindling.scheduler.queue";
const MIN_EXECUTORS = "spark.kindling.scheduler.minExecutors";

/**
 * Tells the gateway what an application says in its own terms: `batchSchedulerOptions.queue` is the queue, and with how
 * few executors it can begin is told by `executor.instances`, or by `minExecutors` of a dynamic allocation. What sparkConf
 * says about the gateway itself stays. Only for applications that the gateway serves (`spark.kindling.scheduler=gateway`).
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

/** Undefined where only sparkConf knows: the gateway reads it there. */
function leastExecutors({ spec }: SparkApplication): number | undefined {
  if (spec.dynamicAllocation?.enabled === true) return spec.dynamicAllocation.minExecutors;
  const isDynamic = spec.sparkConf?.["spark.dynamicAllocation.enabled"] === "true";
  return isDynamic ? undefined : spec.executor.instances;
}
