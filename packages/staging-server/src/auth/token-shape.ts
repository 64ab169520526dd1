// What the clocks of this machine and of the cluster may differ by.
const LEEWAY_SECONDS = 300;
const SERVICE_ACCOUNT = "system:serviceaccount:";

/**
 * Whether a token may be one for this server, as far as can be told without asking anybody. A JSON Web Token (RFC 7519)
 * says until when it is valid, and a service account's says for whom it is; the signature is for the API server to check.
 * For other users' tokens the API server has audiences of its own (`--oidc-client-id`, webhooks), and takes them as meant
 * for itself. Of tokens of another kind nothing can be told.
 *
 * @param audiences of which a service account's token must have one; where there are none, it may be for anybody
 * @param now seconds since the epoch
 */
export function mayBeForUs(token: string, audiences: readonly string[], now: number): boolean {
  const claims = claimsOf(token);
  if (claims === undefined) return true;
  const { aud, exp, sub } = claims;
  if (typeof exp === "number" && exp + LEEWAY_SECONDS < now) return false;
  if (audiences.length === 0 || typeof sub !== "string" || !sub.startsWith(SERVICE_ACCOUNT)) return true;
  const own: unknown[] = Array.isArray(aud) ? aud : [aud];
  return audiences.some((audience) => own.includes(audience));
}

interface Claims {
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly sub?: unknown;
}

/** @returns `undefined` for what is no JSON Web Token */
function claimsOf(token: string): Claims | undefined {
  const [, claims, signature, ...rest] = token.split(".");
  if (claims === undefined || signature === undefined || rest.length > 0) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
