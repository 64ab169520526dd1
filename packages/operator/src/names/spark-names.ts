/** How Spark's container is called in pods that begin with a template. */
export const DRIVER_CONTAINER = "spark-kubernetes-driver";
export const EXECUTOR_CONTAINER = "spark-kubernetes-executor";
