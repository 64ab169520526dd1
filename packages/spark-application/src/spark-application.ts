import type { API_VERSION } from "./custom-resources.ts";
import type { SparkApplicationSpec } from "./spec/application-spec.ts";
import type { SparkApplicationStatus } from "./status.ts";

/** A SparkApplication as it is read from the API server (kubeflow/spark-operator v2.5.2, api/v1beta2). */
export interface SparkApplication {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: "SparkApplication";
  readonly metadata: ApplicationMeta;
  readonly spec: SparkApplicationSpec;
  /** The operator's status; empty for an application that the operator has not handled yet. */
  readonly status: SparkApplicationStatus;
}

/** The part of `metadata` that the operator reads. Times are as in JSON: RFC 3339 in UTC, whole seconds. */
export interface ApplicationMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
