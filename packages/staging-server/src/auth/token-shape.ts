import type { TokenClaims } from "@kindling/staging-client";

// What the clocks of this machine and of the cluster may differ by.
const LEEWAY_SECONDS = 300;
const SERVICE_ACCOUNT = "system:serviceaccount:";

/**
 * Whether a token may be one for this server, as far as can be told without asking anybody. A JSON Web Token (RFC 7519)
 * says until when it is valid and for whom it is; the signature is for the API server to check. Of tokens of another
 * kind, and of those that do not say it, nothing can be told; but those of service accounts that do not say it are for the
 * API server.
 *
 * @param claims what the token says of itself; `undefined` for one of another kind
 * @param audiences of which the token must have one: what is made for others alone is not taken, whoever accepts it
 * @param now seconds since the epoch
 */
export function mayBeForUs(claims: TokenClaims | undefined, audiences: readonly string[], now: number): boolean {
  if (claims === undefined) return true;
  if (claims.expires !== undefined && claims.expires + LEEWAY_SECONDS < now) return false;
  if (claims.audiences.length === 0) return claims.subject?.startsWith(SERVICE_ACCOUNT) !== true;
  return audiences.some((audience) => claims.audiences.includes(audience));
}
