/** Where the containers of a pod's spec are. */
export const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;
