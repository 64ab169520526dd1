/** The result of an attempt to create an executor's pod. */
export type CreateOutcome =
  /** `claims`: how many persistent volume claims were created with it. */
  | { readonly kind: "created"; readonly claims: number }
  /** The pod may exist, for example after a broken connection. Either it will be seen, or it is given up after a time. */
  | { readonly kind: "unknown"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string }
  /** Not tried, because another executor of the same profile had just been refused. */
  | { readonly kind: "skipped" };
