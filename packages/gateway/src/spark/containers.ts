/** The members of a pod's spec that are lists of containers. */
export const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;
