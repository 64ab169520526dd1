import { isObject } from "@kindling/kube-objects";
import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import type { KubeClient } from "@kindling/kube";
import { type Clock, within } from "@kindling/outside";
import { textAt } from "../../json/fields.ts";

/** Whether the cluster has signed a token, according to its known keys. */
export type Signature = "good" | "forged" | "unknown";

export interface SigningKeysOptions {
  readonly clock: Clock;
  /** Gets the cluster's keys. */
  readonly fetchKeys: () => Promise<unknown>;
}

interface Algorithm {
  readonly hash: string;
  readonly keyType: string;
}

// The algorithms with which an API server signs tokens of service accounts (pkg/serviceaccount/jwt.go), by the type of its
// key.
const ALGORITHMS: ReadonlyMap<unknown, Algorithm> = new Map([
  ["RS256", { hash: "sha256", keyType: "rsa" }],
  ["ES256", { hash: "sha256", keyType: "ec" }],
  ["ES384", { hash: "sha384", keyType: "ec" }],
  ["ES512", { hash: "sha512", keyType: "ec" }],
]);
// A new key of the cluster is used soon after it exists. But tokens with invented key names must not cause many requests.
const FETCH_AGAIN_MS = 30_000;
const FIRST_WAIT_MS = 2_000;

/**
 * The keys with which a cluster signs its tokens. A forged token does not pass here: the API server is not asked about it,
 * and it takes no turn of the driver that it names. Whether a token is still valid is known only to the API server.
 */
export class SigningKeys {
  readonly #options: SigningKeysOptions;
  #keys: ReadonlyMap<string, KeyObject> = new Map();
  #fetchedAt = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(options: SigningKeysOptions) {
    this.#options = options;
    this.#fetch();
  }

  /** Checks a token's signature. If no keys have been fetched yet, waits a moment for them. */
  async look(token: string): Promise<Signature> {
    if (this.#keys.size === 0 && this.#fetching !== undefined)
      await within(this.#options.clock, FIRST_WAIT_MS, this.#fetching, () => undefined);
    const verdict = signatureOf(token, this.#keys);
    if (verdict === "unknown") this.#fetch();
    return verdict;
  }

  #fetch(): void {
    const { clock, fetchKeys } = this.#options;
    if (this.#fetching !== undefined || clock.monotonic() - this.#fetchedAt < FETCH_AGAIN_MS) return;
    this.#fetchedAt = clock.monotonic();
    this.#fetching = fetchKeys()
      .then((document) => {
        this.#keys = keysOf(document);
      })
      // Without keys, or with old ones, it goes on: the API server is asked about unknown tokens.
      .catch(() => undefined)
      .finally(() => (this.#fetching = undefined));
  }
}

/**
 * Fetches the keys of a cluster, which every service account may read by default. The API server sends them only to clients
 * that ask for their media type (pkg/routes/openidmetadata.go).
 */
export function signingKeysOf(client: Pick<KubeClient, "request">): () => Promise<unknown> {
  const accept = "application/jwk-set+json, application/json";
  return () => client.request({ method: "GET", path: "/openid/v1/jwks", accept });
}

/** Compares a token's signature (RFC 7515) with the key that it names. */
function signatureOf(token: string, keys: ReadonlyMap<string, KeyObject>): Signature {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const fields = parsed(header);
  const key = keys.get(textAt(fields, "kid") ?? "");
  const algorithm = ALGORITHMS.get(textAt(fields, "alg"));
  if (key === undefined) return "unknown";
  // The algorithm must be the one that the cluster uses with this key; otherwise the token is not from the cluster.
  if (algorithm === undefined || algorithm.keyType !== key.asymmetricKeyType) return "forged";
  const content = Buffer.from(`${header}.${claims}`);
  try {
    const options = { key, dsaEncoding: "ieee-p1363" } as const;
    return verify(algorithm.hash, content, options, Buffer.from(signature, "base64url")) ? "good" : "forged";
  } catch {
    return "forged";
  }
}

/** The keys of a JWK set (RFC 7517) by their names; invalid ones are left out. */
function keysOf(document: unknown): ReadonlyMap<string, KeyObject> {
  const list: unknown = isObject(document) ? document["keys"] : undefined;
  const keys = new Map<string, KeyObject>();
  for (const one of Array.isArray(list) ? list : []) {
    const name = isObject(one) ? textAt(one, "kid") : undefined;
    const key = isObject(one) ? publicKey(one) : undefined;
    if (name !== undefined && key !== undefined) keys.set(name, key);
  }
  return keys;
}

function publicKey(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: "jwk" });
  } catch {
    return undefined;
  }
}

function parsed(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
