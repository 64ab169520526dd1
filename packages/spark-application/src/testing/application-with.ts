import { API_VERSION } from "../custom-resources.ts";
import type { SparkApplicationSpec } from "../spec/application-spec.ts";
import type { SparkApplication } from "../spark-application.ts";
import { NO_STATUS } from "../status.ts";

/** A valid application, with some fields of its spec replaced. */
export function applicationWith(spec: Partial<SparkApplicationSpec>, name = "pi"): SparkApplication {
  return {
    apiVersion: API_VERSION,
    kind: "SparkApplication",
    metadata: {
      name,
      namespace: "jobs",
      uid: "3f0c",
      generation: 1,
      resourceVersion: "7",
      creationTimestamp: "2026-01-31T12:00:00Z",
      labels: {},
      annotations: {},
    },
    spec: {
      type: "Scala",
      sparkVersion: "4.0.4",
      mainApplicationFile: "local:///opt/spark/examples.jar",
      driver: {},
      executor: {},
      ...spec,
    },
    status: NO_STATUS,
  };
}
