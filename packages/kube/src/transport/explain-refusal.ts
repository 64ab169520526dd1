import { X509Certificate } from "node:crypto";
import type { Credentials } from "../credentials/credential-source.ts";
import { tlsError } from "./connection-error.ts";
import { kubeError, type KubeError } from "../errors/kube-error.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";

/**
 * Says more about a request that failed because of the caller's identity. API servers answer an expired client certificate
 * with a plain 401, other servers with one of several TLS alerts, or they close the connection. The certificate itself shows
 * that it has expired.
 *
 * @param failure for which {@link isAboutClient} is true.
 */
export function explainRefusal(
  failure: KubeError,
  credentials: Credentials,
  access: ClusterAccess,
  now: number,
): KubeError {
  const { method, path, attempts, mayHaveHappened } = failure;
  const context = { method, path, attempts, mayHaveHappened, cause: failure };
  const code = failure.kind === "tls" || failure.kind === "unreachable" ? failure.code : undefined;
  const expiry = expiryOf(credentials.clientCertificate?.cert);
  if (expiry !== undefined && expiry.getTime() <= now) {
    const whose = `the client certificate of ${access.credentials.description}`;
    const message = `${method} ${path}: ${whose} expired on ${expiry.toISOString()}`;
    return tlsError("client-certificate-expired", code, message, context);
  }
  if (failure.kind !== "status") return failure;
  const { kind, status, reason, serverMessage, causes, retryAfterSeconds, details } = failure;
  return kubeError({ kind, status, reason, serverMessage, causes, retryAfterSeconds, details }, failure.message, {
    ...context,
    hint: `the API server does not accept ${access.credentials.description}`,
  });
}

function expiryOf(certificate: string | undefined): Date | undefined {
  if (certificate === undefined) return undefined;
  try {
    return new Date(new X509Certificate(certificate).validTo);
  } catch {
    return undefined;
  }
}
