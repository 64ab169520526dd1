import { createHash } from "node:crypto";
import type { Random } from "@kindling/outside";
import type { ReviewedUser } from "@kindling/service";
import { sendForm, withIssuer } from "../issuer/fetch-document.ts";
import { IssuerUnavailable } from "../issuer/issuer.ts";
import type { LoginEndpoints } from "../issuer/issuer-document.ts";
import type { OpenedVerifier } from "../tokens/open-verifier.ts";

/** The page, as a client of its issuer. */
export interface LoginClient {
  readonly id: string;
  /** Undefined for a public client, which PKCE alone protects. Read for each sign-in, so that its file may change. */
  readonly secret: () => string | undefined;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/** What the browser keeps while its user is at the issuer. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export type SignedIn =
  | { readonly kind: "user"; readonly user: ReviewedUser }
  | { readonly kind: "refused"; readonly reason: string };

export function newAttempt(random: Random): LoginAttempt {
  const secret = (): string => Buffer.from(random.bytes(32)).toString("base64url");
  return { state: secret(), nonce: secret(), codeVerifier: secret() };
}

/** Where the browser goes to sign in (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636, 4.3). */
export async function signInUrl({ issuer }: OpenedVerifier, client: LoginClient, attempt: LoginAttempt): Promise<URL> {
  const { authorization } = await endpoints(issuer);
  const url = new URL(authorization);
  const challenge = createHash("sha256").update(attempt.codeVerifier).digest("base64url");
  for (const [name, value] of Object.entries({
    response_type: "code",
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: client.scopes.join(" "),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: challenge,
    code_challenge_method: "S256",
  }))
    url.searchParams.set(name, value);
  return url;
}

/**
 * Changes a code for a token, and checks it (OpenID Connect Core 1.0, 3.1.3).
 *
 * @throws IssuerUnavailable, HttpError, or an Error of one line
 */
export async function signedIn(
  verifier: OpenedVerifier,
  client: LoginClient,
  code: string,
  attempt: LoginAttempt,
): Promise<SignedIn> {
  const { token } = await endpoints(verifier.issuer);
  const secret = client.secret();
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: client.redirectUri,
    code_verifier: attempt.codeVerifier,
    ...(secret === undefined && { client_id: client.id }),
  });
  const headers = secret === undefined ? {} : { authorization: basic(client.id, secret) };
  const { status, document } = await withIssuer(verifier.connection, (transport) =>
    sendForm(transport, token, form, headers),
  );
  const idToken = memberOf(document, "id_token");
  if (status !== 200 || idToken === undefined)
    return {
      kind: "refused",
      reason: `the issuer gives no token: ${errorOf(document) ?? `status ${status}`}`,
    };
  const found = await verifier.verify(idToken);
  if (found.kind === "foreign") return { kind: "refused", reason: "the token is not one of this issuer" };
  if (found.kind === "refused") return { kind: "refused", reason: `the token is not accepted: ${found.reason}` };
  // 3.1.3.7, 11: otherwise a token of another sign-in could be put under this one.
  if (found.claims["nonce"] !== attempt.nonce) return { kind: "refused", reason: "the token is for another sign-in" };
  return { kind: "user", user: found.user };
}

async function endpoints(issuer: OpenedVerifier["issuer"]): Promise<LoginEndpoints> {
  const { login } = (await issuer.keys()).document;
  if (login === undefined) throw new IssuerUnavailable(`the issuer ${issuer.url} names no addresses to sign in at`);
  return login;
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form. */
function basic(id: string, secret: string): string {
  const encoded = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64")}`;
}

function memberOf(document: unknown, name: string): string | undefined {
  const value: unknown = typeof document === "object" && document !== null ? Reflect.get(document, name) : undefined;
  return typeof value === "string" ? value : undefined;
}

/** An error's name (RFC 6749, 5.2). */
function errorOf(document: unknown): string | undefined {
  const name = memberOf(document, "error");
  return name !== undefined && /^[\w.-]{1,60}$/.test(name) ? name : undefined;
}
