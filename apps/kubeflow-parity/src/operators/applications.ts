import type { KubeObjectLike } from "@kindling/kube";

/** An application with a driver that no scheduler handles, so that only the operator is measured. */
export function applicationOf(name: string, namespace: string): MadeApplication {
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

/** An application as a user creates it. */
export interface MadeApplication extends KubeObjectLike {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels?: Record<string, string> };
  readonly spec: { readonly sparkConf: Readonly<Record<string, string>>; readonly [field: string]: unknown };
}
