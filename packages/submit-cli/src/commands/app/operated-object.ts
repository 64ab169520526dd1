import type { KubeObject, ObjectMeta } from "@kindling/kube";

/** What objects of both kinds are of (kubeflow/spark-operator v2.5.2, api/v1beta2). */
export const OPERATOR_GROUP = "sparkoperator.k8s.io";
export const OPERATOR_VERSION = "v1beta2";
export const API_VERSION: string = `${OPERATOR_GROUP}/${OPERATOR_VERSION}`;

/** On each run of a schedule: the schedule's name (pkg/common/spark.go, LabelScheduledSparkAppName). */
export const SCHEDULE_LABEL = "sparkoperator.k8s.io/scheduled-app-name";

/** A SparkApplication or ScheduledSparkApplication as the API server has it; nothing in it is taken for granted. */
export interface OperatedObject extends KubeObject {
  metadata?: ObjectMeta & { creationTimestamp?: string };
  spec?: unknown;
  status?: unknown;
}

/** What is shown of objects of both kinds. */
export interface Operated {
  readonly namespace: string;
  readonly name: string;
  /** As the operator wrote it; empty as long as it has written none. */
  readonly state: string;
  readonly suspended: boolean;
  /** Times are RFC 3339. */
  readonly created: string | undefined;
}
