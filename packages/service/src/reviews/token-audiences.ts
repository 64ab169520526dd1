/**
 * The audiences that a token names, unchecked: enough to refuse a token, but never to accept it. undefined for tokens that
 * are no JSON Web Tokens (RFC 7519), and for those without an audience.
 */
export function tokenAudiences(token: string): readonly string[] | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const audience: unknown = claims !== null && typeof claims === "object" ? Reflect.get(claims, "aud") : undefined;
    if (typeof audience === "string") return [audience];
    return Array.isArray(audience) ? audience.filter((one) => typeof one === "string") : undefined;
  } catch {
    return undefined;
  }
}
