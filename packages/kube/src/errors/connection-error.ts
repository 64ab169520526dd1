import { kubeError, type KubeError, type KubeErrorContext, type TlsFaultReason } from "./kube-error.ts";
import { quoted, quotedCause } from "./quoted.ts";

/** OpenSSL's and Node's codes for a server certificate that was not accepted. */
const CERTIFICATE_FAULTS: Readonly<Record<string, TlsFaultReason>> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not-yet-valid",
  ERR_TLS_CERT_ALTNAME_INVALID: "hostname",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unknown-ca",
  UNABLE_TO_GET_ISSUER_CERT: "unknown-ca",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unknown-ca",
  SELF_SIGNED_CERT_IN_CHAIN: "unknown-ca",
  DEPTH_ZERO_SELF_SIGNED_CERT: "unknown-ca",
  CERT_UNTRUSTED: "unknown-ca",
  CERT_SIGNATURE_FAILURE: "unknown-ca",
  // The server's alert about ours.
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "client-certificate-expired",
};

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
  hostname: "use a name of the certificate as server, or set tls-server-name in the kubeconfig",
  "unknown-ca": "give the cluster's certificate-authority in the kubeconfig, or its CA file",
  "client-certificate-expired": "get a new client certificate for the kubeconfig's user",
  other: undefined,
};

const UNREACHABLE_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection broke",
  EPIPE: "the connection broke",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host's name could not be looked up",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the host",
};

/** What of a connection's own error is worth keeping, whichever of Node's layers it comes from. */
function codeOf(error: Error): string | undefined {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined || !(error instanceof AggregateError)) return code;
  // Happy eyeballs: all addresses failed.
  const first: unknown = error.errors[0];
  return first instanceof Error ? codeOf(first) : undefined;
}

/** The error for a connection that could not be made or broke; `peer` is the server's URL or names the proxy. */
export function connectionError(error: Error, peer: string, context: KubeErrorContext): KubeError {
  const code = codeOf(error);
  const prefix = context.method === undefined ? "" : `${context.method} ${context.path}: `;
  const withCause = { ...context, cause: quotedCause(error) };
  if (code?.startsWith("HPE_") === true) {
    return kubeError({ kind: "protocol" }, `${prefix}${peer} does not speak HTTP (${code})`, withCause);
  }
  const reason = tlsReason(code);
  if (reason !== undefined) {
    const detail = reason === "hostname" || reason === "other" ? `: ${quoted(error.message.trim())}` : "";
    return tlsError(reason, code, `${prefix}${peer}: ${TLS_WORDS[reason]}${detail}`, withCause);
  }
  const words = UNREACHABLE_WORDS[code ?? ""] ?? quoted(error.message);
  return kubeError({ kind: "unreachable", code }, `${prefix}cannot reach ${peer}: ${words}`, withCause);
}

export function tlsError(
  reason: TlsFaultReason,
  code: string | undefined,
  message: string,
  context: KubeErrorContext,
): KubeError {
  return kubeError({ kind: "tls", reason, code }, message, { ...context, hint: context.hint ?? TLS_HINTS[reason] });
}

function tlsReason(code: string | undefined): TlsFaultReason | undefined {
  if (code === undefined) return undefined;
  const known = CERTIFICATE_FAULTS[code];
  if (known !== undefined) return known;
  return code === "EPROTO" || /^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_)/.test(code) ? "other" : undefined;
}
