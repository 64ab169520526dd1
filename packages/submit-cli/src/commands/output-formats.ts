/** The values of `-o`, by command; the first is the default. */
export const STATUS_FORMATS = ["text", "table", "json", "yaml"] as const;
export const LIST_FORMATS = ["table", "name", "json", "yaml"] as const;
export const CONFIG_FORMATS = ["text", "markdown", "json", "yaml"] as const;
/** For `kindling staging ls`. */
export const BUNDLE_FORMATS = ["table", "name", "json", "yaml"] as const;
/** For `kindling app create`. */
export const CREATE_FORMATS = ["text", "name", "json", "yaml"] as const;
/** For the other parts of `kindling staging`, for `kindling doctor` and for `kindling app events`. */
export const REPORT_FORMATS = ["table", "json", "yaml"] as const;
/** For `kindling cost`. */
export const COST_FORMATS = ["table", "csv", "json", "yaml"] as const;
/** For `kindling queue`. */
export const QUEUE_FORMATS = ["table", "json", "yaml"] as const;
/** For `kindling submit` and `kindling explain`. */
export const OBJECT_FORMATS = ["yaml", "json"] as const;
/** For `kindling connect`. */
export const CONNECTION_FORMATS = ["shell", "json", "yaml"] as const;
/** For `kindling connect ls`. */
export const CONNECT_DRIVER_FORMATS = ["table", "wide", "name", "json", "yaml"] as const;
