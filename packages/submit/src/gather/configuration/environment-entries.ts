import type { Env } from "@kindling/outside";

/** Variables that are used if a key is not set (SparkSubmitArguments.loadEnvironmentArguments). */
const VARIABLES: Readonly<Record<string, string>> = {
  "spark.master": "MASTER",
  "spark.submit.deployMode": "DEPLOY_MODE",
  "spark.remote": "SPARK_REMOTE",
  "spark.driver.memory": "SPARK_DRIVER_MEMORY",
  "spark.executor.memory": "SPARK_EXECUTOR_MEMORY",
  "spark.executor.cores": "SPARK_EXECUTOR_CORES",
};

/** The entries that come from the environment. */
export function environmentEntries(env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([key, name]) => {
      const value = env[name];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
