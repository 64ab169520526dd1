import type { PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";

export function containers({ fields }: RoleFields): Partial<PodChanges> {
  const { initContainers = [], sidecars = [] } = fields;
  return { initContainers, sidecars };
}
