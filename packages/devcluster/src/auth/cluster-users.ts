import type { User } from "@kindling/api-server";

export const AUTHENTICATED = "system:authenticated";
/** Members of this group may do everything. */
export const MASTERS = "system:masters";

/** The holder of the cluster's own credentials. */
export const ADMIN: User = { name: "kubernetes-admin", groups: [MASTERS, AUTHENTICATED] };

/** A component of the control plane, which may do everything. */
export function controlPlane(name: string): User {
  return { name: `system:${name}`, groups: [MASTERS, AUTHENTICATED] };
}
