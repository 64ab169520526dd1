/** A submission that every cluster accepts; members that are undefined are left out. */
export function piOf(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const pi = {
    namespace: "spark-jobs",
    application: {
      resource: "local:///opt/spark/examples/jars/spark-examples.jar",
      mainClass: "org.apache.spark.examples.SparkPi",
      arguments: ["10"],
    },
    name: "pi",
    ...members,
    ...((!("conf" in members) || members["conf"] !== undefined) && {
      conf: { "spark.kubernetes.container.image": "apache/spark:4.3.0", ...(members["conf"] as object | undefined) },
    }),
  };
  return pi;
}
