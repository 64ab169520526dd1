/** What the level `restricted` of the Pod Security Standards asks of a pod whose image has a user by number. */
export const RESTRICTED_POD = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } as const;

/** What it asks of each container. */
export const RESTRICTED_CONTAINER = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
