/**
 * Every code that a Kindling error can carry. A code is never reused for another meaning, so that scripts and services
 * may branch on it. What to print is in `message` and `hint`; the code tells which kind of thing went wrong.
 */
export const ERROR_CODES = [
  "ARGUMENT_INVALID",
  "CONF_INVALID",
  "CONF_CONFLICT",
  "CONF_MISSING",
  "ACCESS_DENIED",
  "FILE_UNREADABLE",
  "FILE_UNPARSABLE",
  "TEMPLATE_INVALID",
  "URI_UNSUPPORTED",
  "UPLOAD_FAILED",
  "STEP_NOT_FOUND",
  "STEP_INVALID",
  "STEP_NOT_ADDITIVE",
  "STEP_FAILED",
  "STEP_ORDER",
  "KUBECONFIG_INVALID",
  "CLUSTER_UNREACHABLE",
  "CLUSTER_UNAUTHENTICATED",
  "CLUSTER_FORBIDDEN",
  "CLUSTER_REFUSED",
  "OBJECT_NOT_FOUND",
  "OBJECT_CONFLICT",
  "OBJECT_INVALID",
  "APPLICATION_FAILED",
  "UNSUPPORTED",
  "INTERRUPTED",
  "INTERNAL",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

// A bundled command and a contributed step hold two copies of this module, so `instanceof` would lie between them.
const BRAND = Symbol.for("@kindling/core-spec/KindlingError");

export interface KindlingErrorOptions {
  /** What the user can do about it: one line, without a full stop. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** An error made for the user: one line that names the flag, key, file or object, and a hint that says what to do. */
export class KindlingError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: KindlingErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "KindlingError";
    this.code = code;
    this.hint = options.hint;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether a value is a {@link KindlingError}, whichever copy of this package made it. */
export function isKindlingError(value: unknown): value is KindlingError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
