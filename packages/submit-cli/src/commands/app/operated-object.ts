import type { KubeObjectLike, ObjectMetaLike } from "@kindling/kube";

/** A SparkApplication or ScheduledSparkApplication as the API server has it; nothing in it is taken for granted. */
export interface OperatedObject extends KubeObjectLike {
  metadata?: ObjectMetaLike & { creationTimestamp?: string };
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
