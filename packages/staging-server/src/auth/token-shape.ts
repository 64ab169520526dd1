import { tokenClaims } from "@kindling/staging-client";

// What the clocks of this machine and of the cluster may differ by.
const LEEWAY_SECONDS = 300;
const SERVICE_ACCOUNT = "system:serviceaccount:";

/**
 * Whether a token may be one for this server, as far as can be told without asking anybody. A JSON Web Token (RFC 7519)
 * says until when it is valid, and a service account's says for whom it is; the signature is for the API server to check.
 * For other users' tokens the API server has audiences of its own (`--oidc-client-id`, webhooks), and takes them as meant
 * for itself. Of tokens of another kind nothing can be told.
 *
 * @param audiences of which a service account's token must have one
 * @param now seconds since the epoch
 */
export function mayBeForUs(token: string, audiences: readonly string[], now: number): boolean {
  const claims = tokenClaims(token);
  if (claims === undefined) return true;
  if (claims.expires !== undefined && claims.expires + LEEWAY_SECONDS < now) return false;
  if (claims.subject?.startsWith(SERVICE_ACCOUNT) !== true) return true;
  return audiences.some((audience) => claims.audiences.includes(audience));
}
