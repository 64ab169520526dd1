/** The values of `kindling wait --for`; the first is the default. */
export const WAITED_FOR = ["ended", "running"] as const;
