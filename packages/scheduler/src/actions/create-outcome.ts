/** What came of the attempt to make an executor's pod. */
export type CreateOutcome =
  /** `claims`: how many persistent volume claims were made with it. */
  | { readonly kind: "created"; readonly claims: number }
  /** It may exist: the connection broke, say. It will be seen, or given up in time. */
  | { readonly kind: "unknown"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string }
  /** Nothing was tried, since another of the same profile had just been refused. */
  | { readonly kind: "skipped" };
