/** Why the TLS handshake failed. */
export type TlsFaultReason =
  | "expired"
  | "not-yet-valid"
  | "hostname"
  | "unknown-ca"
  | "client-certificate-expired"
  | "other";

/** What took too long: a ready connection, sending, the answer's beginning, its end, or a pause in the middle of it. */
export type TimeoutPhase = "connect" | "send" | "answer" | "whole" | "idle";

/** Why there is no answer, or only a part of one; the other members belong to one `kind` each. */
export type HttpFault =
  /** No usable connection, or it broke off. */
  | { readonly kind: "unreachable"; readonly code: string | undefined }
  | { readonly kind: "tls"; readonly reason: TlsFaultReason; readonly code: string | undefined }
  | { readonly kind: "timeout"; readonly phase: TimeoutPhase; readonly milliseconds: number }
  /** A proxy that cannot be reached (`code`), or that refuses (`status`, for HTTP proxies). */
  | { readonly kind: "proxy"; readonly code: string | undefined; readonly status: number | undefined }
  /** The host is at an address to which this request must not go. */
  | { readonly kind: "address"; readonly address: string | undefined }
  /** The peer does not speak HTTP, or sends more than may be read. */
  | { readonly kind: "protocol" }
  /** A value of the caller cannot be used: a certificate, a URL, the address of a proxy. */
  | { readonly kind: "options" }
  /** By the caller's own signal, or by `close()`. */
  | { readonly kind: "aborted" };

export interface HttpErrorContext {
  /** What the user can do about it: one line without a full stop. */
  readonly hint?: string | undefined;
  /** Whether the same request may succeed later; default: not. */
  readonly retryable?: boolean | undefined;
  /** Whether any byte of the request may have arrived; default: not. */
  readonly mayHaveArrived?: boolean | undefined;
  readonly cause?: unknown;
}

// Bundled programs may hold two copies of this module.
const BRAND = Symbol.for("@kindling/http/HttpError");

class HttpFailure extends Error {
  /** The peer of the failed request: a server's origin, or a proxy without its password. */
  readonly peer: string;
  /** What went wrong, without the peer. */
  readonly words: string;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly mayHaveArrived: boolean;

  constructor(peer: string, words: string, context: HttpErrorContext) {
    super(`${peer}: ${words}`, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = "HttpError";
    this.peer = peer;
    this.words = words;
    this.hint = context.hint;
    this.retryable = context.retryable ?? false;
    this.mayHaveArrived = context.mayHaveArrived ?? false;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/**
 * A request without an answer, or an incomplete answer: narrow it by `kind`. The message is one line, `peer: words`. It
 * never contains a password, or the path or the query of a URL. It quotes at most a kibibyte of a certificate, unchanged:
 * code that prints it must make control characters harmless.
 */
export type HttpError = HttpFailure & HttpFault;

export function httpError(fault: HttpFault, peer: string, words: string, context: HttpErrorContext = {}): HttpError {
  return Object.assign(new HttpFailure(peer, words, context), fault);
}

/** Whether a value is an {@link HttpError}, whichever copy of this package made it. */
export function isHttpError(value: unknown): value is HttpError {
  return typeof value === "object" && value !== null && BRAND in value;
}
