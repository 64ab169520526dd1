/** The claims of a JSON Web Token (RFC 7519, 4.1). Times are seconds since the epoch. */
export interface TokenClaims {
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly audiences: readonly string[];
  readonly issuedAt: number | undefined;
  readonly expires: number | undefined;
}

/**
 * Reads the claims of a token without checking them: only its issuer can check the signature.
 *
 * @returns `undefined` if the text is no JSON Web Token in its compact form (RFC 7515, 7.1)
 */
export function tokenClaims(token: string): TokenClaims | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? [];
  if (payload === undefined) return undefined;
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) return undefined;
  const { iss, sub, aud, iat, exp } = claims as Readonly<Record<string, unknown>>;
  const audiences = Array.isArray(aud) ? (aud as unknown[]) : aud === undefined ? [] : [aud];
  if (!audiences.every((audience) => typeof audience === "string")) return undefined;
  return { issuer: text(iss), subject: text(sub), audiences, issuedAt: number(iat), expires: number(exp) };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
