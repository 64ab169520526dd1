/** What is known of a server's work. */
export type ServerActivity =
  /** Nobody has asked it now. */
  | { readonly kind: "not-asked" }
  /** A job or a query runs. */
  | { readonly kind: "busy" }
  /** Nothing runs. The last job or query ended at this time, in milliseconds since the epoch; undefined if there was none. */
  | { readonly kind: "quiet"; readonly sinceMs: number | undefined }
  /** It does not tell. Such a server never counts as idle. */
  | { readonly kind: "unknown"; readonly why: string };
