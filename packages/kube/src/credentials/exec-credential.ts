import { kubeError, type KubeError } from "../errors/kube-error.ts";
import { quoted } from "../errors/quoted.ts";
import { isFields } from "../fields.ts";
import type { Lease } from "./expiring-credentials.ts";
import { bearer } from "./static-credentials.ts";

interface ExecCredentialStatus {
  readonly token?: unknown;
  readonly clientCertificateData?: unknown;
  readonly clientKeyData?: unknown;
  readonly expirationTimestamp?: unknown;
}

/**
 * Reads the ExecCredential that a plug-in printed (client.authentication.k8s.io). Its output never appears in an error,
 * because it contains the secret.
 */
export function parseExecCredential(text: string, apiVersion: string, description: string): Lease {
  const fail = (fault: string): KubeError => kubeError({ kind: "credentials" }, `${description} ${fault}`);
  const credential = parseObject(text);
  if (credential === undefined) throw fail("printed something that is not an ExecCredential in JSON");
  if (credential.kind !== "ExecCredential") throw fail("printed an object that is not an ExecCredential");
  if (credential.apiVersion !== apiVersion) {
    throw fail(`printed apiVersion ${shownVersion(credential.apiVersion)}, and the kubeconfig asks for ${apiVersion}`);
  }
  const status: ExecCredentialStatus = isFields(credential.status) ? credential.status : {};
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  const hasToken = typeof token === "string" && token !== "";
  const hasCertificate = typeof cert === "string" && cert !== "" && typeof key === "string" && key !== "";
  if (Boolean(cert) !== Boolean(key)) throw fail("printed a client certificate without its key, or the reverse");
  if (!hasToken && !hasCertificate) throw fail("printed neither a token nor a client certificate");
  const until = typeof expirationTimestamp === "string" ? Date.parse(expirationTimestamp) : undefined;
  if (Number.isNaN(until)) throw fail("printed an expirationTimestamp that is not a time");
  return {
    credentials: {
      ...(hasToken ? { authorization: bearer(token.trim()) } : {}),
      ...(hasCertificate ? { clientCertificate: { cert, key } } : {}),
    },
    until,
  };
}

const LONGEST_VERSION = 64;

function shownVersion(version: unknown): string {
  return typeof version === "string" ? quoted(version, LONGEST_VERSION) : "(none)";
}

function parseObject(
  text: string,
): { readonly kind?: unknown; readonly apiVersion?: unknown; readonly status?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
