import type { SparkApplication, SparkPodSpec } from "@kindling/spark-application";

export type Role = "driver" | "executor";

/** An application, for the pods of one of its roles. */
export interface RoleFields {
  readonly application: SparkApplication;
  readonly role: Role;
  /** The role's own part of the spec. */
  readonly fields: SparkPodSpec;
}

export function roleFields(application: SparkApplication, role: Role): RoleFields {
  return { application, role, fields: application.spec[role] };
}
