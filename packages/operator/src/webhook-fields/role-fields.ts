import type { SparkPodSpec } from "../api/v1beta2/pod-spec.ts";
import type { SparkApplication } from "../api/v1beta2/spark-application.ts";

export type Role = "driver" | "executor";

/** An application as the pods of one of its roles see it. */
export interface RoleFields {
  readonly application: SparkApplication;
  readonly role: Role;
  /** The role's own part of the spec. */
  readonly fields: SparkPodSpec;
}

export function roleFields(application: SparkApplication, role: Role): RoleFields {
  return { application, role, fields: application.spec[role] };
}
