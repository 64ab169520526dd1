/** A valid application, with some fields of its spec replaced. */
export function manifest(
  name: string,
  spec: Readonly<Record<string, unknown>> = {},
  namespace: string = "spark-jobs",
): { readonly metadata: { readonly name: string; readonly namespace: string }; readonly spec: object } {
  return {
    ...{ apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" },
    metadata: { name, namespace },
    spec: {
      type: "Scala",
      mode: "cluster",
      sparkVersion: "4.0.4",
      image: "apache/spark:4.0.4",
      mainClass: "org.apache.spark.examples.SparkPi",
      mainApplicationFile: "local:///opt/spark/examples/jars/spark-examples.jar",
      driver: { serviceAccount: "spark" },
      executor: {},
      ...spec,
    },
  };
}
