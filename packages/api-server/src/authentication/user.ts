/** Who makes a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const AUTHENTICATED = "system:authenticated";
export const UNAUTHENTICATED = "system:unauthenticated";
/** Members of this group may do everything. */
export const MASTERS = "system:masters";

/** A request without credentials where those are asked for. */
export const ANONYMOUS: User = { name: "system:anonymous", groups: [UNAUTHENTICATED] };

/** The holder of the cluster's own credentials. */
export const ADMIN: User = { name: "kubernetes-admin", groups: [MASTERS, AUTHENTICATED] };

/** A part of the control plane, which needs no leave. */
export function controlPlane(name: string): User {
  return { name: `system:${name}`, groups: [MASTERS, AUTHENTICATED] };
}
