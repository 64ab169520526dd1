import { CONNECT_API_VERSION } from "../custom-resources.ts";
import type { ApplicationMeta } from "../spark-application.ts";
import { NO_CONNECT_STATUS, type SparkConnect, type SparkConnectStatus } from "../spark-connect.ts";
import type { SparkConnectSpec } from "../spec/connect-spec.ts";

/** A valid SparkConnect with an image and nothing else, and some parts replaced. */
export function aSparkConnect(
  spec: Partial<SparkConnectSpec> = {},
  more: { readonly metadata?: Partial<ApplicationMeta>; readonly status?: SparkConnectStatus } = {},
): SparkConnect {
  return {
    apiVersion: CONNECT_API_VERSION,
    kind: "SparkConnect",
    metadata: {
      name: "notebook",
      namespace: "spark-jobs",
      uid: "uid-of-notebook",
      generation: 1,
      resourceVersion: "7",
      creationTimestamp: "2026-03-01T11:00:00Z",
      labels: {},
      annotations: {},
      ...more.metadata,
    },
    spec: { sparkVersion: "4.3.0", image: "apache/spark:4.3.0", server: {}, executor: {}, ...spec },
    status: more.status ?? NO_CONNECT_STATUS,
  };
}
