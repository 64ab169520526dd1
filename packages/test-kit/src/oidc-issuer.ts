import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { ServerResponse } from "node:http";
import { testAuthority } from "./certificates.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { sendJson, startStub, type StubServer } from "./stub-server.ts";

/** A key with which an issuer signs. */
export interface SigningKey {
  readonly id: string;
  readonly algorithm: "RS256" | "ES256";
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly privateKey: KeyObject;
  readonly publicPem: string;
}

export function signingKey(id: string, algorithm: SigningKey["algorithm"] = "RS256"): SigningKey {
  const { privateKey, publicKey } =
    algorithm === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicJwk = { ...publicKey.export({ format: "jwk" }), kid: id, alg: algorithm, use: "sig" };
  return { id, algorithm, publicJwk, privateKey, publicPem: String(publicKey.export({ type: "spki", format: "pem" })) };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JSON Web Token (RFC 7515), signed with Node's own functions. Members of the header may be overridden. */
export function signedToken(
  key: SigningKey,
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const content = `${part({ alg: key.algorithm, kid: key.id, typ: "JWT", ...header })}.${part(claims)}`;
  const signature = sign("sha256", Buffer.from(content), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

/** A token without any signature, which says so. */
export function unsignedToken(claims: Readonly<Record<string, unknown>>): string {
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}

/** A token that is signed with a secret; the attack takes the public key of an issuer as that secret. */
export function hmacToken(secret: string, id: string, claims: Readonly<Record<string, unknown>>): string {
  const content = `${part({ alg: "HS256", kid: id, typ: "JWT" })}.${part(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

/** An OpenID Connect issuer over TLS, with what tests change of it. */
export interface TestIssuer {
  readonly url: string;
  /** A PEM file with the authority of its certificate. */
  readonly caFile: string;
  readonly server: StubServer;
  /** What it publishes; may be changed at any time. */
  keys: readonly unknown[];
  /** Members of its document that are other than they should be. */
  document: Readonly<Record<string, unknown>>;
  /** How it answers a code; default: with 404. */
  answerToken: (response: ServerResponse) => void;
  /** How it answers. */
  mood: "well" | "silent" | "status-500" | "redirects" | "no-json" | "endless";
  /** The claims of a token for the client `kindling` that is good for an hour, with changes; undefined removes a claim. */
  claims(changes?: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

export async function startTestIssuer(keys: readonly SigningKey[]): Promise<TestIssuer> {
  const authority = testAuthority("issuers");
  const { cert, key } = authority.issue("issuer");
  const server = await startStub(
    ({ url }, response) => {
      if (issuer.mood === "silent") return;
      if (issuer.mood === "status-500") sendJson(response, {}, 500);
      else if (issuer.mood === "redirects") response.writeHead(302, { location: "https://elsewhere.example/" }).end();
      else if (issuer.mood === "no-json") response.end("<html>sign in</html>");
      else if (issuer.mood === "endless") {
        const more = (): boolean => response.write(" ".repeat(1 << 16), () => !response.destroyed && more());
        more();
      } else if (url === "/.well-known/openid-configuration") {
        const { url: own } = issuer;
        sendJson(response, {
          issuer: own,
          jwks_uri: `${own}/keys`,
          token_endpoint: `${own}/token`,
          ...issuer.document,
        });
      } else if (url === "/keys") sendJson(response, { keys: issuer.keys });
      else if (url === "/token") issuer.answerToken(response);
      else sendJson(response, {}, 404);
    },
    { cert, key },
  );
  const issuer: TestIssuer = {
    url: `https://127.0.0.1:${server.port}`,
    caFile: scratchFolder().write("ca.crt", authority.cert),
    server,
    keys: keys.map(({ publicJwk }) => publicJwk),
    document: {},
    answerToken: (response) => sendJson(response, {}, 404),
    mood: "well",
    claims(changes = {}) {
      const now = Math.floor(Date.now() / 1000);
      return { iss: issuer.url, sub: "ada", aud: "kindling", iat: now, exp: now + 3600, ...changes };
    },
  };
  return issuer;
}
