/**
 * The labels that Spark, and everything around it, uses to find an application's objects (Spark, deploy/k8s/Constants.scala).
 */
export const SPARK_VERSION_LABEL = "spark-version";
export const SPARK_APP_ID_LABEL = "spark-app-selector";
export const SPARK_APP_NAME_LABEL = "spark-app-name";
export const SPARK_ROLE_LABEL = "spark-role";
export const SPARK_EXECUTOR_ID_LABEL = "spark-exec-id";
export const SPARK_RESOURCE_PROFILE_ID_LABEL = "spark-exec-resourceprofile-id";
export const SPARK_EXECUTOR_INACTIVE_LABEL = "spark-exec-inactive";

export const SPARK_ROLE_DRIVER = "driver";
export const SPARK_ROLE_EXECUTOR = "executor";

/** The name of the port at which the web UI of a sealed application has TLS, in the driver's container. */
export const SPARK_UI_TLS_PORT_NAME = "spark-ui-tls";
