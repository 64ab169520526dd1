/** The two kinds, as the API server addresses them. */
export const SPARK_APPLICATIONS = {
  group: "sparkoperator.k8s.io",
  version: "v1beta2",
  plural: "sparkapplications",
  kind: "SparkApplication",
  namespaced: true,
};

/** An application whose driver no scheduler looks at, so that only the operator is measured. */
export function applicationOf(name, namespace) {
  return {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    metadata: { name, namespace },
    spec: {
      type: "Scala",
      mode: "cluster",
      sparkVersion: "4.0.4",
      image: "apache/spark:4.0.4",
      mainClass: "org.apache.spark.examples.SparkPi",
      mainApplicationFile: "local:///opt/spark/examples/jars/spark-examples.jar",
      arguments: ["1000"],
      sparkConf: { "spark.kubernetes.scheduler.name": "nobody" },
      restartPolicy: { type: "Never" },
      driver: { cores: 1, memory: "512m", serviceAccount: "spark", labels: { version: "4.0.4" } },
      executor: { cores: 1, instances: 2, memory: "512m", labels: { version: "4.0.4" } },
    },
  };
}
