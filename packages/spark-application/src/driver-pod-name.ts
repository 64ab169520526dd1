import type { SparkApplication } from "./spark-application.ts";

/** The name of an application's driver pod (kubeflow/spark-operator v2.5.2, `GetDriverPodName`). */
export function driverPodName({ metadata, spec }: Pick<SparkApplication, "metadata" | "spec">): string {
  const byConf = spec.sparkConf?.["spark.kubernetes.driver.pod.name"];
  return [spec.driver.podName, byConf].find((name) => name !== undefined && name !== "") ?? `${metadata.name}-driver`;
}
