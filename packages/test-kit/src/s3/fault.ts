/** The fault of one request. */
export type S3Fault =
  /** An error instead of an answer; nothing is done. */
  | { readonly kind: "status"; readonly status: number; readonly code: string }
  /** The request is carried out, and its answer is lost. */
  | { readonly kind: "lost-answer" }
  /** A success in the headers, an error in the body. */
  | { readonly kind: "late-error" }
  /** The connection breaks after this many bytes of the body. */
  | { readonly kind: "cut"; readonly bytes: number };
