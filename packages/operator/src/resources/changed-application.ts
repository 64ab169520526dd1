import type { DriverSpec, ExecutorSpec, SparkApplication } from "@kindling/spark-application";

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
