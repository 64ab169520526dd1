import type { JSONWebKeySet } from "jose";

/** What an issuer says of itself (OpenID Connect Discovery 1.0, section 3). */
export interface IssuerDocument {
  readonly jwksUri: URL;
  /** Where people sign in; undefined for an issuer that only machines use. */
  readonly login: LoginEndpoints | undefined;
}

export interface LoginEndpoints {
  readonly authorization: URL;
  readonly token: URL;
  /** Where people sign out (OpenID Connect RP-Initiated Logout 1.0). */
  readonly endSession: URL | undefined;
}

/** The document's address (section 4): a path of the issuer is kept. */
export function documentUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
}

/** @throws Error with one line that says what is wrong with the document */
export function issuerDocument(document: unknown, issuer: string): IssuerDocument {
  const named = textOf(document, "issuer");
  // Section 4.3: the value must be exactly the URL that was asked for. Otherwise one issuer could speak for another.
  if (named !== issuer)
    throw new Error(
      `the issuer calls itself ${shown(named)}, and oidc.issuerUrl is ${shown(issuer)}: they must be equal`,
    );
  const jwksUri = addressOf(document, "jwks_uri");
  if (jwksUri === undefined)
    throw new Error(
      `the issuer names no https address of its keys: its jwks_uri is ${shown(textOf(document, "jwks_uri"))}`,
    );
  const [authorization, token] = [addressOf(document, "authorization_endpoint"), addressOf(document, "token_endpoint")];
  const endSession = addressOf(document, "end_session_endpoint");
  const login = authorization === undefined || token === undefined ? undefined : { authorization, token, endSession };
  return { jwksUri, login };
}

function addressOf(document: unknown, member: string): URL | undefined {
  const text = textOf(document, member);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" ? url : undefined;
}

/**
 * The keys in a document (RFC 7517, section 5). Values that are no keys are left out: a newer issuer may have kinds
 * of keys that are not known here.
 *
 * @throws Error with one line if there are no keys
 */
export function keySetOf(document: unknown): JSONWebKeySet {
  const listed: unknown = isRecord(document) ? document["keys"] : undefined;
  const keys = (Array.isArray(listed) ? listed : []).flatMap((key: unknown) => {
    const kty = textOf(key, "kty");
    if (!isRecord(key) || kty === undefined) return [];
    // Certificates beside a key are not looked at, and some issuers write them wrongly.
    const entries = Object.entries(key).filter(([name]) => !name.startsWith("x5"));
    return [{ ...Object.fromEntries(entries), kty }];
  });
  if (keys.length === 0) throw new Error("the issuer publishes no keys");
  return { keys };
}

function textOf(value: unknown, member: string): string | undefined {
  const found = isRecord(value) ? value[member] : undefined;
  return typeof found === "string" ? found : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(text: string | undefined): string {
  return text === undefined ? "missing" : JSON.stringify(text.slice(0, 200));
}
