/** The name of Spark's container in pods that are made from a template. */
export const DRIVER_CONTAINER = "spark-kubernetes-driver";
export const EXECUTOR_CONTAINER = "spark-kubernetes-executor";

/** The value of `spark-role` on the pod of a Connect server. */
export const CONNECT_ROLE = "connect-server";
/** The annotation of a Connect server's pod that says for which spec it was made. Stock has none. */
export const SPEC_ANNOTATION = "operator.kindling/spec";
