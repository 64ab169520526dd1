// @ts-check
// The submission of the benchmarks, for both the command and the real spark-submit.
import { fileURLToPath } from "node:url";

export const KINDLING = fileURLToPath(new URL("../packages/submit-cli/bin/kindling.js", import.meta.url));

/**
 * spark-submit's arguments.
 *
 * @param {string} address of the API server, `host:port`
 * @param {string} version of Spark
 */
export function submissionArguments(address, version) {
  const conf = {
    "spark.kubernetes.submission.waitAppCompletion": "false",
    "spark.kubernetes.container.image": `apache/spark:${version}`,
    "spark.executor.instances": "5",
    "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
  };
  return [
    ...["--master", `k8s://http://${address}`, "--deploy-mode", "cluster", "--name", "benchmark"],
    ...["--class", "org.apache.spark.examples.SparkPi", "--driver-memory", "1g"],
    ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    ...["local:///opt/spark/examples/jars/spark-examples.jar", "1000"],
  ];
}
