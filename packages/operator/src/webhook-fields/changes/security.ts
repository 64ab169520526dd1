import type { PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";

/** The contexts take the place of those of the pod, with all that is in them. */
export function security({ fields }: RoleFields): Partial<PodChanges> {
  const { securityContext, podSecurityContext } = fields;
  return {
    ...(podSecurityContext !== undefined && { spec: { securityContext: podSecurityContext } }),
    ...(securityContext !== undefined && { container: { securityContext } }),
  };
}
