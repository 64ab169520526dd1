import type { PodChanges } from "@kindling/core-spec";
import { ownerReference } from "../../resources/owned-object.ts";
import type { RoleFields } from "../role-fields.ts";

/** Driver pods are deleted with their application, executors with their driver. */
export function owner({ application, role }: RoleFields): Partial<PodChanges> {
  return role === "driver" ? { ownerReferences: [ownerReference(application)] } : {};
}
