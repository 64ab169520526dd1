import { isObject, type JsonObject } from "@kindling/kube-objects";
import { type KeyObject, createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";

/** Signs and checks JSON Web Tokens with its own key (RFC 7519, ES256). */
export class TokenSigner {
  readonly #private: KeyObject;
  readonly #public: KeyObject;
  readonly #keyId: string;

  constructor() {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#private = privateKey;
    this.#public = createPublicKey(privateKey);
    const der = this.#public.export({ type: "spki", format: "der" });
    this.#keyId = createHash("sha256").update(der).digest("base64url");
  }

  /** The public keys for checking its tokens: a JWK set (RFC 7517), in the form that an API server serves. */
  get keys(): object {
    return { keys: [{ use: "sig", kid: this.#keyId, alg: "ES256", ...this.#public.export({ format: "jwk" }) }] };
  }

  sign(claims: JsonObject): string {
    const header = { alg: "ES256", kid: this.#keyId };
    const content = `${encode(header)}.${encode(claims)}`;
    const signature = sign("sha256", Buffer.from(content), { key: this.#private, dsaEncoding: "ieee-p1363" });
    return `${content}.${signature.toString("base64url")}`;
  }

  /** The claims of a token that this signer signed; undefined for any other text. Times are not checked. */
  verify(token: string): JsonObject | undefined {
    const [header, claims, signature, ...rest] = token.split(".");
    if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) return undefined;
    const good = verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      { key: this.#public, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    return good ? decode(claims) : undefined;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
