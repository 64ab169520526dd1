import type { SparkApplication, SparkPodSpec } from "@kindling/spark-application";
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from "../pods/spark-names.ts";

/** The driver or the executors, with Spark's keys for them. */
export interface Role {
  readonly name: "driver" | "executor";
  readonly containerName: string;
  /** The prefix of the key for an environment variable. */
  readonly envPrefix: string;
  readonly spec: SparkPodSpec;
}

export function driverRole({ spec }: SparkApplication): Role {
  return {
    name: "driver",
    containerName: DRIVER_CONTAINER,
    envPrefix: "spark.kubernetes.driverEnv.",
    spec: spec.driver,
  };
}

export function executorRole({ spec }: SparkApplication): Role {
  return { name: "executor", containerName: EXECUTOR_CONTAINER, envPrefix: "spark.executorEnv.", spec: spec.executor };
}
