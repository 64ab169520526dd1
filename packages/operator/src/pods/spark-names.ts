/** The name of Spark's container in pods that are made from a template. */
export const DRIVER_CONTAINER = "spark-kubernetes-driver";
export const EXECUTOR_CONTAINER = "spark-kubernetes-executor";
