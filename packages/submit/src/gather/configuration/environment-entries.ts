import type { Env } from "@kindling/outside";

/** Variables that stand in for keys that nobody gave (SparkSubmitArguments.loadEnvironmentArguments). */
const VARIABLES: Readonly<Record<string, string>> = {
  "spark.master": "MASTER",
  "spark.submit.deployMode": "DEPLOY_MODE",
  "spark.remote": "SPARK_REMOTE",
  "spark.driver.memory": "SPARK_DRIVER_MEMORY",
  "spark.executor.memory": "SPARK_EXECUTOR_MEMORY",
  "spark.executor.cores": "SPARK_EXECUTOR_CORES",
};

/** The entries that the environment has. */
export function environmentEntries(env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([key, name]) => {
      const value = env[name];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
