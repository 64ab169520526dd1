import { KindlingError, type Audience, type ErrorCode } from "@kindling/core-spec";
import type { ProblemDocument } from "./protocol/problem.ts";

// Fault, the code of such an error, who can fix it, whether a retry helps, what it means.
const ROWS = [
  ["connect", "UPLOAD_FAILED", "operator", true, "no connection to the server, or it broke"],
  ["tls", "UPLOAD_FAILED", "operator", false, "the server's certificate is not valid, or it does not speak TLS"],
  ["stalled", "UPLOAD_FAILED", "operator", true, "the server stopped during an answer, or sent none in time"],
  ["insecure", "UPLOAD_FAILED", "user", false, "credentials would have gone where others could read them"],
  ["unauthorized", "UPLOAD_FAILED", "user", false, "the server does not accept the credentials, or wants some"],
  ["forbidden", "UPLOAD_FAILED", "operator", false, "the server does not let this subject do that"],
  ["not-found", "UPLOAD_FAILED", "user", false, "what was asked for is not on the server"],
  ["gone", "UPLOAD_FAILED", "user", false, "what was asked for is no longer on the server"],
  ["too-large", "UPLOAD_FAILED", "operator", false, "a file is larger than the server or the caller takes"],
  ["no-space", "UPLOAD_FAILED", "operator", false, "the server's storage is full"],
  ["quota", "UPLOAD_FAILED", "operator", false, "the namespace's quota on the server is used up"],
  ["overloaded", "UPLOAD_FAILED", "operator", true, "the server has too much to do at present"],
  ["server", "UPLOAD_FAILED", "operator", true, "the server failed"],
  ["digest", "UPLOAD_FAILED", "operator", false, "the bytes are not those announced"],
  ["protocol", "UPLOAD_FAILED", "operator", false, "the server does not speak this protocol"],
  ["redirect", "UPLOAD_FAILED", "operator", false, "a redirect that is not followed, such as to a forbidden host"],
  ["rejected", "UPLOAD_FAILED", "user", false, "any other refusal of the server"],
  ["file", "FILE_UNREADABLE", "user", false, "a local file cannot be read or written"],
  ["file-changed", "FILE_UNREADABLE", "user", false, "a local file changed while it was read"],
  ["cancelled", "INTERRUPTED", "user", false, "the caller's signal ended it"],
] as const;

/** What went wrong, in the kinds that users can act on. */
export type StagingFault = (typeof ROWS)[number][0];

/** The entry of a fault, for programs and for the reference of errors. */
export interface StagingFaultEntry {
  readonly code: ErrorCode;
  readonly audience: Audience;
  /** Whether the same request may succeed later; the answer itself wins over this. */
  readonly retryable: boolean;
  /** One sentence, without a full stop. */
  readonly meaning: string;
}

/** Every fault. A name is never reused for another meaning. */
export const STAGING_FAULTS: Readonly<Record<StagingFault, StagingFaultEntry>> = Object.fromEntries(
  ROWS.map(([fault, code, audience, retryable, meaning]) => [fault, { code, audience, retryable, meaning }]),
) as Record<StagingFault, StagingFaultEntry>;

export interface StagingErrorOptions {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly status?: number;
  readonly problem?: ProblemDocument;
  /** Whether the same request may succeed later, if the answer says so. */
  readonly retryable?: boolean;
  /** How long the server asks to wait before a retry. */
  readonly retryAfterMs?: number;
}

/** A failed exchange with a staging server, made for the user. Never holds a secret. */
export class StagingError extends KindlingError {
  readonly fault: StagingFault;
  readonly status: number | undefined;
  readonly problem: ProblemDocument | undefined;
  override readonly audience: Audience;
  override readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(fault: StagingFault, message: string, options: StagingErrorOptions = {}) {
    super(STAGING_FAULTS[fault].code, message, {
      ...(options.hint !== undefined && { hint: options.hint }),
      ...(options.cause !== undefined && { cause: options.cause }),
    });
    this.name = "StagingError";
    this.fault = fault;
    this.status = options.status;
    this.problem = options.problem;
    this.audience = STAGING_FAULTS[fault].audience;
    this.retryable = options.retryable ?? STAGING_FAULTS[fault].retryable;
    this.retryAfterMs = options.retryAfterMs;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

// Bundled programs may hold two copies of this module.
const BRAND = Symbol.for("@kindling/staging-client/StagingError");

export function isStagingError(value: unknown): value is StagingError {
  return typeof value === "object" && value !== null && BRAND in value;
}
