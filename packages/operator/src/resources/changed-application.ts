import type { DriverSpec, ExecutorSpec } from "../api/v1beta2/pod-spec.ts";
import type { SparkApplication } from "../api/v1beta2/spark-application.ts";

export function withSparkConf(application: SparkApplication, conf: Readonly<Record<string, string>>): SparkApplication {
  const { spec } = application;
  return { ...application, spec: { ...spec, sparkConf: { ...spec.sparkConf, ...conf } } };
}

export function withDriver(application: SparkApplication, change: Partial<DriverSpec>): SparkApplication {
  const { spec } = application;
  return { ...application, spec: { ...spec, driver: { ...spec.driver, ...change } } };
}

export function withExecutor(application: SparkApplication, change: Partial<ExecutorSpec>): SparkApplication {
  const { spec } = application;
  return { ...application, spec: { ...spec, executor: { ...spec.executor, ...change } } };
}
