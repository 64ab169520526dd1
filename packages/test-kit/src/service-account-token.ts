import { randomUUID } from "node:crypto";

export interface TokenOptions {
  readonly namespace: string;
  readonly account: string;
  readonly audiences: readonly string[];
  readonly issuer?: string;
  readonly lifeSeconds?: number;
  /** Members that replace others; `undefined` removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A token in the form of an API server (apiserver, pkg/registry/core/serviceaccount), with an invalid signature. */
export function serviceAccountToken(options: TokenOptions): string {
  const { namespace, account, audiences, issuer = "https://kubernetes.default.svc", lifeSeconds = 600 } = options;
  const issued = Math.floor(Date.now() / 1000);
  const claims = {
    aud: audiences,
    exp: issued + lifeSeconds,
    iat: issued,
    iss: issuer,
    jti: randomUUID(),
    "kubernetes.io": { namespace, serviceaccount: { name: account, uid: randomUUID() } },
    nbf: issued,
    sub: `system:serviceaccount:${namespace}:${account}`,
    ...options.claims,
  };
  return [{ alg: "RS256", kid: "test" }, claims, "signature of the test's own"].map(encoded).join(".");
}

function encoded(part: unknown): string {
  return Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
}
