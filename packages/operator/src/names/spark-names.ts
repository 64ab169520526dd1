/** The labels that Spark puts on its pods. */
export const SPARK_LABELS = {
  applicationId: "spark-app-selector",
  role: "spark-role",
  executorId: "spark-exec-id",
} as const;

/** How Spark's container is called in pods that begin with a template. */
export const DRIVER_CONTAINER = "spark-kubernetes-driver";
export const EXECUTOR_CONTAINER = "spark-kubernetes-executor";
