import type { KubeObjectLike, ObjectMetaLike } from "@kindling/kube";

/** A SparkApplication or ScheduledSparkApplication from the API server; no field is assumed to be valid. */
export interface OperatedObject extends KubeObjectLike {
  metadata?: ObjectMetaLike & { creationTimestamp?: string };
  spec?: unknown;
  status?: unknown;
}

/** What is shown of objects of both kinds. */
export interface Operated {
  readonly namespace: string;
  readonly name: string;
  /** The state that the operator wrote; empty until it has written one. */
  readonly state: string;
  readonly suspended: boolean;
  /** Times are RFC 3339. */
  readonly created: string | undefined;
}
