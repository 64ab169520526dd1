import { KindlingError, type ErrorCode } from "@kindling/core-spec";
import type { ProblemDocument } from "./protocol/problem.ts";

/**
 * What went wrong, as far as somebody can act on it.
 *
 * - `connect`, `tls`, `stalled`: the network, certificates, a peer that stopped
 * - `insecure`: credentials that would have gone where others could read them
 * - `unauthorized`, `forbidden`, `not-found`, `gone`: the answer is no and stays no
 * - `too-large`, `no-space`, `quota`: the server has no room for it
 * - `overloaded`, `server`: the server cannot at present
 * - `digest`: bytes that are not those announced
 * - `protocol`: the peer does not speak this protocol
 * - `redirect`: a redirect that is not followed, as to a host that is not allowed
 * - `rejected`: any other refusal
 * - `file`, `file-changed`: a local file that cannot be read or written, or that changed under our hands
 * - `cancelled`: the caller's signal
 */
export type StagingFault =
  | "connect"
  | "tls"
  | "stalled"
  | "insecure"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "gone"
  | "too-large"
  | "no-space"
  | "quota"
  | "overloaded"
  | "server"
  | "digest"
  | "protocol"
  | "redirect"
  | "rejected"
  | "file"
  | "file-changed"
  | "cancelled";

export interface StagingErrorOptions {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly status?: number;
  readonly problem?: ProblemDocument;
  /** The same request may succeed later. */
  readonly retryable?: boolean;
  /** How long the server asks to wait before that. */
  readonly retryAfterMs?: number;
}

const CODES: Partial<Record<StagingFault, ErrorCode>> = {
  file: "FILE_UNREADABLE",
  "file-changed": "FILE_UNREADABLE",
  cancelled: "INTERRUPTED",
};

/** A failed exchange with a staging server, made for the user. Never holds a secret. */
export class StagingError extends KindlingError {
  readonly fault: StagingFault;
  readonly status: number | undefined;
  readonly problem: ProblemDocument | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(fault: StagingFault, message: string, options: StagingErrorOptions = {}) {
    super(CODES[fault] ?? "UPLOAD_FAILED", message, {
      ...(options.hint !== undefined && { hint: options.hint }),
      ...(options.cause !== undefined && { cause: options.cause }),
    });
    this.name = "StagingError";
    this.fault = fault;
    this.status = options.status;
    this.problem = options.problem;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

// Bundled programs may hold two copies of this module.
const BRAND = Symbol.for("@kindling/staging-client/StagingError");

export function isStagingError(value: unknown): value is StagingError {
  return typeof value === "object" && value !== null && BRAND in value;
}
