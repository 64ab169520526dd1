/** What `kindling dev status -o` takes. */
export const STATUS_FORMATS = ["text", "json", "yaml"] as const;
