import { httpError, isHttpError, type HttpError, type HttpErrorContext, type TlsFaultReason } from "./http-error.ts";

/** OpenSSL's and Node's codes for a certificate that was not accepted. */
const CERTIFICATE_FAULTS: Readonly<Record<string, TlsFaultReason>> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not-yet-valid",
  ERR_TLS_CERT_ALTNAME_INVALID: "hostname",
  HOSTNAME_MISMATCH: "hostname",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unknown-ca",
  UNABLE_TO_GET_ISSUER_CERT: "unknown-ca",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unknown-ca",
  SELF_SIGNED_CERT_IN_CHAIN: "unknown-ca",
  DEPTH_ZERO_SELF_SIGNED_CERT: "unknown-ca",
  CERT_UNTRUSTED: "unknown-ca",
  CERT_SIGNATURE_FAILURE: "unknown-ca",
  // The peer's alert about the client's certificate.
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "client-certificate-expired",
};

// Other invalid certificates, and failed TLS handshakes. A retry does not help.
const OTHER_TLS_FAULTS =
  /^(EPROTO$|CERT_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERR_SSL_|ERR_TLS_|ERR_OSSL_)/;

const TLS_WORDS: Readonly<Record<TlsFaultReason, string>> = {
  expired: "the server's certificate has expired",
  "not-yet-valid": "the server's certificate is not valid yet",
  hostname: "the server's certificate is not for this host",
  "unknown-ca": "the server's certificate is signed by an unknown authority",
  "client-certificate-expired": "the client certificate has expired",
  other: "TLS failed",
};

const TLS_HINTS: Readonly<Record<TlsFaultReason, string | undefined>> = {
  expired: "renew the server's certificate, or check this machine's clock",
  "not-yet-valid": "check this machine's clock",
  hostname: "use a name of the certificate as the server's",
  "unknown-ca": "configure the authority that has signed it in this client",
  "client-certificate-expired": "get a new client certificate",
  other: undefined,
};

const UNREACHABLE: Readonly<Record<string, readonly [words: string, hint?: string]>> = {
  ECONNREFUSED: ["connection refused", "is the server running, and is this its port?"],
  ECONNRESET: ["the connection broke"],
  EPIPE: ["the connection broke"],
  ENOTFOUND: ["no such host", "is the host name right, and does it resolve from here?"],
  EAI_AGAIN: ["the host's name could not be looked up", "the name server did not answer; try again"],
  ETIMEDOUT: ["the connection timed out", "is the server reachable from here?"],
  EHOSTUNREACH: ["no route to the host", "is the server reachable from here?"],
  ENETUNREACH: ["no route to the host", "is the server reachable from here?"],
};

/** Turns the error of a failed connection into an HttpError; an HttpError stays as it is. */
export function connectionFault(error: unknown, peer: string, mayHaveArrived = false): HttpError {
  if (isHttpError(error)) return error;
  const code = codeOf(error);
  const message = messageOf(error);
  const context: HttpErrorContext = { mayHaveArrived, cause: shortened(error, message, code) };
  if (code?.startsWith("HPE_") === true) {
    // A proxy or a connection may have failed only this once.
    return httpError({ kind: "protocol" }, peer, `does not speak HTTP (${code})`, { ...context, retryable: true });
  }
  const reason = tlsReason(code);
  // OpenSSL's message for an answer that is not TLS at all.
  if (reason === "other" && /wrong version number|packet length too long/i.test(message)) {
    const hint = "write http:// if it is meant to be without TLS";
    return httpError({ kind: "tls", reason, code }, peer, "the server answers in plain http", { ...context, hint });
  }
  if (reason !== undefined) {
    const detail = reason === "hostname" || reason === "other" ? `: ${quoted(message.trim())}` : "";
    const hint = TLS_HINTS[reason];
    return httpError({ kind: "tls", reason, code }, peer, `${TLS_WORDS[reason]}${detail}`, { ...context, hint });
  }
  const [words = quoted(message) || (code ?? "the connection failed"), hint] = UNREACHABLE[code ?? ""] ?? [];
  return httpError({ kind: "unreachable", code }, peer, words, { ...context, hint, retryable: true });
}

function tlsReason(code: string | undefined): TlsFaultReason | undefined {
  if (code === undefined) return undefined;
  return CERTIFICATE_FAULTS[code] ?? (OTHER_TLS_FAULTS.test(code) ? "other" : undefined);
}

/** The code of a connection's error, from any of Node's layers. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: unknown };
  // Several addresses were tried (RFC 8305): the error of the first one is used.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return typeof code === "string" ? code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** In characters. The names in a certificate have no bound. */
const MOST_QUOTED = 1024;

function quoted(text: string): string {
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED - 1)}…` : text;
}

/** The error itself, or a copy with a shorter message. */
function shortened(error: unknown, message: string, code: string | undefined): unknown {
  if (message.length <= MOST_QUOTED) return error;
  return Object.assign(new Error(quoted(message)), code === undefined ? {} : { code });
}
