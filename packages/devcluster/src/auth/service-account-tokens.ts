import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import type { Api, User } from "@kindling/api-server";
import { AUTHENTICATED } from "./cluster-users.ts";
import type { TokenSigner } from "./token-signer.ts";

/** The issuer of the tokens, which is also their default audience. */
export const ISSUER = "https://kubernetes.default.svc";

/** An object that a token is bound to. */
export interface BoundObject {
  readonly kind: "Pod" | "Secret";
  readonly name: string;
  readonly uid: string;
}

export interface TokenRequest {
  readonly account: KubeObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly bound: BoundObject | undefined;
}

export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** The user of a valid token, and the requested audiences that it is valid for. */
export interface TokenHolder {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** Issues and checks the tokens of service accounts. */
export class ServiceAccountTokens {
  readonly #api: Api;
  readonly #signer: TokenSigner;

  constructor(api: Api, signer: TokenSigner) {
    this.#api = api;
    this.#signer = signer;
  }

  /** The keys that the tokens are signed with, as a JWK set. */
  get keys(): object {
    return this.#signer.keys;
  }

  issue({ account, audiences, expirationSeconds, bound }: TokenRequest): IssuedToken {
    const { metadata } = account;
    const issued = Math.floor(this.#api.clock.now() / 1000);
    const node = bound?.kind === "Pod" ? this.#nodeOf(metadata.namespace, bound.name) : undefined;
    const claims: JsonObject = {
      aud: [...(audiences.length === 0 ? [ISSUER] : audiences)],
      exp: issued + expirationSeconds,
      iat: issued,
      iss: ISSUER,
      jti: this.#api.random.uuid(),
      "kubernetes.io": {
        namespace: metadata.namespace,
        ...(node === undefined ? {} : { node }),
        ...(bound === undefined ? {} : { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
        serviceaccount: { name: metadata.name, uid: metadata.uid },
      },
      nbf: issued,
      sub: `system:serviceaccount:${metadata.namespace ?? ""}:${metadata.name}`,
    };
    return { token: this.#signer.sign(claims), expires: (issued + expirationSeconds) * 1000 };
  }

  /** Returns the user of a token, or a text that says why it is invalid. */
  check(token: string, audiences: readonly string[] = [ISSUER]): TokenHolder | string {
    const claims = this.#signer.verify(token);
    if (claims === undefined) return "invalid bearer token";
    const now = Math.floor(this.#api.clock.now() / 1000);
    if (typeof claims["exp"] !== "number" || claims["exp"] < now) return "service account token has expired";
    const given = Array.isArray(claims["aud"]) ? claims["aud"].map(String) : [];
    const shared = audiences.filter((audience) => given.includes(audience));
    if (shared.length === 0) {
      return `token audiences ${JSON.stringify(given)} is invalid for the target audiences ${JSON.stringify(audiences)}`;
    }
    const own = claims["kubernetes.io"];
    const user = isObject(own) ? this.#userOf(own, String(claims["jti"])) : "claims are missing";
    return typeof user === "string" ? user : { user, audiences: shared };
  }

  #userOf(claims: JsonObject, id: string): User | string {
    const namespace = String(claims["namespace"]);
    const account = reference(claims["serviceaccount"]);
    if (account === undefined) return "claims are missing";
    const stored = this.#api.store.collection("serviceaccounts").get(namespace, account.name)?.object;
    if (stored === undefined) return `serviceaccounts ${JSON.stringify(account.name)} not found`;
    if (stored.metadata.uid !== account.uid) return "service account UID does not match claim";
    const extra: Record<string, string[]> = { "authentication.kubernetes.io/credential-id": [`JTI=${id}`] };
    for (const kind of ["pod", "secret", "node"] as const) {
      const bound = reference(claims[kind]);
      if (bound === undefined) continue;
      // A node is only named for information; the token stays valid without it.
      const lost = kind !== "node" && this.#uidOf(`${kind}s`, namespace, bound.name) !== bound.uid;
      if (lost) return `${kind} ${JSON.stringify(bound.name)} that the token is bound to is gone`;
      if (kind === "secret") continue;
      extra[`authentication.kubernetes.io/${kind}-name`] = [bound.name];
      extra[`authentication.kubernetes.io/${kind}-uid`] = [bound.uid];
    }
    return {
      name: `system:serviceaccount:${namespace}:${account.name}`,
      uid: account.uid,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, AUTHENTICATED],
      extra,
    };
  }

  #uidOf(resource: string, namespace: string, name: string): string | undefined {
    return this.#api.store.collection(resource).get(namespace, name)?.object.metadata.uid;
  }

  #nodeOf(namespace: string | undefined, pod: string): JsonObject | undefined {
    const spec = this.#api.store.collection("pods").get(namespace, pod)?.object["spec"];
    const name = isObject(spec) ? spec["nodeName"] : undefined;
    if (typeof name !== "string" || name === "") return undefined;
    const uid = this.#api.store.collection("nodes").get(undefined, name)?.object.metadata.uid;
    return { name, ...(uid === undefined ? {} : { uid }) };
  }
}

function reference(value: unknown): { name: string; uid: string } | undefined {
  if (!isObject(value)) return undefined;
  const { name, uid } = value;
  return typeof name === "string" && typeof uid === "string" ? { name, uid } : undefined;
}
