import type { RoleFields } from "../role-fields.ts";
import type { PodChanges } from "./pod-changes.ts";

export function containers({ fields }: RoleFields): Partial<PodChanges> {
  const { initContainers = [], sidecars = [] } = fields;
  return { initContainers, sidecars };
}
