import {
  type DriverSpec,
  type ExecutorSpec,
  NO_STATUS,
  type SparkApplication,
  type SparkApplicationSpec,
} from "@kindling/spark-application";

/** An application with these parts and the required fields. */
export function application(
  driver: DriverSpec = {},
  executor: ExecutorSpec = {},
  spec: Partial<SparkApplicationSpec> = {},
): SparkApplication {
  return {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    metadata: {
      name: "pi",
      namespace: "spark",
      uid: "6a1c3f2e-0000-4000-8000-000000000001",
      generation: 1,
      resourceVersion: "1",
      creationTimestamp: "2026-08-01T00:00:00Z",
      labels: {},
      annotations: {},
    },
    spec: {
      type: "Scala",
      sparkVersion: "4.0.4",
      mainApplicationFile: "local:///opt/spark/examples/jars/spark-examples.jar",
      driver,
      executor,
      ...spec,
    },
    status: NO_STATUS,
  };
}
