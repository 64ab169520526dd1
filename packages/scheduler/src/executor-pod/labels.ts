/** The labels of executor pods that Spark sets and selects by (deploy/k8s/Constants.scala, Spark 3.5). */

export const APPLICATION_LABEL = "spark-app-selector";
export const EXECUTOR_ID_LABEL = "spark-exec-id";
export const PROFILE_ID_LABEL = "spark-exec-resourceprofile-id";
export const INACTIVE_LABEL = "spark-exec-inactive";

/** Selects the executors of all applications. */
export const EXECUTORS = "spark-role=executor";
