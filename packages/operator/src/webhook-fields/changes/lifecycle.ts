import type { PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";

/** How containers start and end, and whether they see each other's processes. */
export function lifecycle({ fields }: RoleFields): Partial<PodChanges> {
  const { terminationGracePeriodSeconds, lifecycle: hooks, shareProcessNamespace } = fields;
  return {
    spec: {
      ...(terminationGracePeriodSeconds !== undefined && { terminationGracePeriodSeconds }),
      ...(shareProcessNamespace === true && { shareProcessNamespace }),
    },
    ...(hooks !== undefined && { container: { lifecycle: hooks } }),
  };
}
