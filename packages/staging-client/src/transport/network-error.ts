import { harmlessText, messageOf } from "@kindling/core-spec";
import { isStagingError, StagingError } from "../errors.ts";

const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "is the server running, and is this its port?",
  ENOTFOUND: "is the host name right, and does it resolve from here?",
  EAI_AGAIN: "the name server did not answer; try again",
  ETIMEDOUT: "is the server reachable from here?",
  EHOSTUNREACH: "is the server reachable from here?",
  ENETUNREACH: "is the server reachable from here?",
};

// OpenSSL's and Node's names for certificates that do not hold. Trying again would not make them valid.
const CERTIFICATE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|ERR_SSL_|EPROTO)/;

/** What a failed connection means to the user. The URI is named by its origin: paths and queries may tell too much. */
export function networkError(error: unknown, url: URL): StagingError {
  if (isStagingError(error)) {
    if (error.fault !== "stalled") return error;
    return new StagingError("stalled", `${url.origin}: ${error.message}`, { retryable: true, cause: error });
  }
  const code = codeOf(error);
  if (code !== undefined && CERTIFICATE.test(code)) {
    // It may quote names that stand in the certificate.
    const why = harmlessText(messageOf(error));
    return new StagingError("tls", `${url.origin}: the server's certificate does not hold: ${why}`, {
      hint: "check the certificate's names and dates, and the authority that this client is told to trust",
      cause: error,
    });
  }
  const hint = code === undefined ? undefined : HINTS[code];
  const what = harmlessText(messageOf(error)) || code || "the connection failed";
  return new StagingError("connect", `${url.origin}: ${what}`, {
    retryable: true,
    cause: error,
    ...(hint !== undefined && { hint }),
  });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === "string") return code;
  // Several addresses were tried (RFC 8305): the first one's fault stands for all.
  return Array.isArray(errors) ? codeOf(errors[0]) : undefined;
}
