import type { PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";

/** The contexts replace those of the pod completely. */
export function security({ fields }: RoleFields): Partial<PodChanges> {
  const { securityContext, podSecurityContext } = fields;
  return {
    ...(podSecurityContext !== undefined && { spec: { securityContext: podSecurityContext } }),
    ...(securityContext !== undefined && { container: { securityContext } }),
  };
}
