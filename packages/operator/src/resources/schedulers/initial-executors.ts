import type { SparkApplication } from "@kindling/spark-application";

const DEFAULT_INSTANCES = 2;

/**
 * How many executors the driver asks for when it starts (kubeflow/spark-operator v2.5.2, pkg/util/sparkapplication.go,
 * `GetInitialExecutorNumber`; what sparkConf says does not count).
 */
export function initialExecutors({ spec }: SparkApplication): number {
  const { instances } = spec.executor;
  const { enabled = false, initialExecutors: initial = 0, minExecutors = 0 } = spec.dynamicAllocation ?? {};
  return enabled ? Math.max(0, instances ?? 0, initial, minExecutors) : (instances ?? DEFAULT_INSTANCES);
}
