import type { CredentialSource } from "./credential-source.ts";
import { derivedCredentials } from "./derived-credentials.ts";

/** `as`, `as-uid`, `as-groups`, `as-user-extra` of a kubeconfig's user. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The same credentials, acting as someone else. */
export function impersonating(source: CredentialSource, impersonation: Impersonation): CredentialSource {
  const headers = impersonationHeaders(impersonation);
  const description = `${source.description} (acting as ${impersonation.user})`;
  return derivedCredentials(source, (credentials) => ({ ...credentials, headers }), description);
}

function impersonationHeaders(impersonation: Impersonation): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = { "impersonate-user": impersonation.user };
  if (impersonation.uid !== undefined) headers["impersonate-uid"] = impersonation.uid;
  if (impersonation.groups !== undefined && impersonation.groups.length > 0) {
    headers["impersonate-group"] = impersonation.groups;
  }
  for (const [key, values] of Object.entries(impersonation.extra ?? {})) {
    // Kubernetes documentation, "User impersonation": keys are lower-cased and percent-encoded.
    headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = values;
  }
  return headers;
}
