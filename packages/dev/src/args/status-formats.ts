/** The values of `kindling dev status -o`. */
export const STATUS_FORMATS = ["text", "json", "yaml"] as const;
