/** What `kindling wait --for` takes; the first is the default. */
export const WAITED_FOR = ["ended", "running"] as const;
