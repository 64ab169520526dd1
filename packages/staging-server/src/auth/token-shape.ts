import type { TokenClaims } from "@kindling/staging-client";

// How much the clocks of this machine and of the cluster may differ.
const LEEWAY_SECONDS = 300;
const SERVICE_ACCOUNT = "system:serviceaccount:";

/**
 * Whether a token may be one for this server, as far as the token itself tells. A JSON Web Token (RFC 7519) says until
 * when it is valid and for which audiences. The API server checks the signature. A token of another kind, or one without
 * these claims, may be for this server. But a service account's token without an audience is for the API server.
 *
 * @param claims of the token; `undefined` for a token of another kind
 * @param audiences the token must have one of them: a token that is only for others is refused, even if they accept it
 * @param now seconds since the epoch
 */
export function mayBeForUs(claims: TokenClaims | undefined, audiences: readonly string[], now: number): boolean {
  if (claims === undefined) return true;
  if (claims.expires !== undefined && claims.expires + LEEWAY_SECONDS < now) return false;
  if (claims.audiences.length === 0) return claims.subject?.startsWith(SERVICE_ACCOUNT) !== true;
  return audiences.some((audience) => claims.audiences.includes(audience));
}
