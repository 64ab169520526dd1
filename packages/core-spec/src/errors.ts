import { EXIT_CODES } from "./exit-codes.ts";

/** Who can solve the problem: the user, the operator of the cluster, or the makers of Kindling, who want a report. */
export type Audience = "user" | "operator" | "kindling";

/** What a code means for a program and for the error reference. */
export interface ErrorCodeEntry {
  /** The exit code of a command that ends with this error. */
  readonly exit: "failure" | "interrupted";
  readonly audience: Audience;
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;
  /** One sentence, without a full stop. */
  readonly meaning: string;
}

// Code, exit code, who can solve it, whether a retry helps, what it means.
const ROWS = [
  ["ARGUMENT_INVALID", "failure", "user", false, "an argument of the command cannot be used"],
  ["CONF_INVALID", "failure", "user", false, "a configuration key has a value that it cannot have"],
  ["CONF_CONFLICT", "failure", "user", false, "two settings contradict each other"],
  ["CONF_MISSING", "failure", "user", false, "a setting that is needed is not there"],
  [
    "ACCESS_DENIED",
    "failure",
    "operator",
    false,
    "whoever embeds the library does not let submissions read this of its machine",
  ],
  ["FILE_UNREADABLE", "failure", "user", false, "a local file or folder cannot be read or written"],
  ["FILE_UNPARSABLE", "failure", "user", false, "a file is not in the format that it should have"],
  ["TEMPLATE_INVALID", "failure", "user", false, "a pod template is no pod, or holds what a pod cannot have"],
  ["URI_UNSUPPORTED", "failure", "user", false, "nothing here can read or write a URI of this scheme"],
  [
    "UPLOAD_FAILED",
    "failure",
    "operator",
    false,
    "the store for the submission's files refused one, or could not be reached",
  ],
  ["STEP_NOT_FOUND", "failure", "user", false, "a contributed step is not installed, or misspelt"],
  ["STEP_INVALID", "failure", "user", false, "a contributed step is no step, or returned no spec"],
  ["STEP_NOT_ADDITIVE", "failure", "user", false, "a step changed or dropped what another step had set"],
  ["STEP_FAILED", "failure", "user", false, "a step could not do what it is there for"],
  ["STEP_ORDER", "failure", "user", false, "no order satisfies what steps ask of each other"],
  ["KUBECONFIG_INVALID", "failure", "user", false, "the kubeconfig is not there, or an entry of it cannot be used"],
  ["CLUSTER_UNREACHABLE", "failure", "operator", true, "the API server did not answer, or what answered is none"],
  [
    "CLUSTER_UNAUTHENTICATED",
    "failure",
    "user",
    false,
    "the API server does not accept the credentials, or none could be had",
  ],
  ["CLUSTER_FORBIDDEN", "failure", "operator", false, "the cluster does not let this user do that"],
  [
    "CLUSTER_REFUSED",
    "failure",
    "operator",
    true,
    "the API server refused for a reason of its own, such as too many requests",
  ],
  [
    "KERBEROS_FAILED",
    "failure",
    "user",
    false,
    "there is no Kerberos ticket that can be used, or the KDC gives none for a service",
  ],
  ["KDC_UNREACHABLE", "failure", "operator", true, "no KDC of a Kerberos realm answers"],
  [
    "TOKEN_REFUSED",
    "failure",
    "operator",
    true,
    "a name node of Hadoop gives no delegation token, or could not be reached",
  ],
  ["OBJECT_NOT_FOUND", "failure", "user", false, "an object that was asked for is not in the cluster"],
  ["NOT_STARTED", "failure", "user", true, "a log was asked for of a container that has not started"],
  ["POD_FAILED", "failure", "operator", false, "a pod that a command needs did not start, or has failed"],
  ["OBJECT_CONFLICT", "failure", "user", false, "another object has the name already"],
  ["OBJECT_INVALID", "failure", "user", false, "the API server says that an object is not valid"],
  ["UNSUPPORTED", "failure", "user", false, "this cannot be done here, or not by Kindling"],
  ["INTERRUPTED", "interrupted", "user", false, "the user, or a signal, ended it before it was done"],
  ["INTERNAL", "failure", "kindling", false, "a fault of Kindling itself; please report it"],
] as const;

export type ErrorCode = (typeof ROWS)[number][0];

/**
 * Every code that a Kindling error can have. A code is never reused for another meaning, so scripts and services may depend
 * on it. The text to print is in `message` and `hint`; the code says which kind of error it is.
 */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeEntry>> = Object.fromEntries(
  ROWS.map(([code, exit, audience, retryable, meaning]) => [code, { exit, audience, retryable, meaning }]),
) as Record<ErrorCode, ErrorCodeEntry>;

// A bundled command and a contributed step have two copies of this module, so `instanceof` does not work between them.
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
  /** Who can solve the problem. */
  readonly audience: Audience;
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: KindlingErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "KindlingError";
    this.code = code;
    this.hint = options.hint;
    this.audience = ERROR_CODES[code].audience;
    this.retryable = ERROR_CODES[code].retryable;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether a value is a {@link KindlingError}, no matter which copy of this package made it. */
export function isKindlingError(value: unknown): value is KindlingError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** Whether an error says that the user or a signal stopped the work. */
export function isInterruption(error: unknown): error is KindlingError {
  return isKindlingError(error) && error.code === "INTERRUPTED";
}

/** The exit code of a command that ends with this error. */
export function exitCodeOf(error: unknown): number {
  // Another copy of this module may know codes that this one does not.
  const entry = isKindlingError(error) && Object.hasOwn(ERROR_CODES, error.code) ? ERROR_CODES[error.code] : undefined;
  return EXIT_CODES[(entry ?? ERROR_CODES.INTERNAL).exit].code;
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
