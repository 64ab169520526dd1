import { createHash, type Hash } from "node:crypto";

declare const DIGEST: unique symbol;

/** The SHA-256 of a file's bytes as `sha256:` and 64 lower-case hexadecimal digits: the name of a blob. */
export type Digest = string & { readonly [DIGEST]: true };

const FORM = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads a digest. Only `sha256:` with lower-case digits is one: a second spelling of the same digest would be a second
 * name for the same blob.
 *
 * @returns `undefined` if the text is no digest
 */
export function parseDigest(text: string): Digest | undefined {
  return FORM.test(text) ? (text as Digest) : undefined;
}

/** The digest whose 32 bytes are given. */
export function digestOfHash(sha256: Uint8Array): Digest {
  if (sha256.length !== 32) throw new RangeError(`a SHA-256 has 32 bytes, not ${sha256.length}`);
  return `sha256:${Buffer.from(sha256).toString("hex")}` as Digest;
}

/** Computes a digest: give it the bytes in order, then call `digest` once. */
export interface Digester {
  update(bytes: Uint8Array): void;
  digest(): Digest;
}

export function digester(): Digester {
  const hash: Hash = createHash("sha256");
  return {
    update(bytes) {
      hash.update(bytes);
    },
    digest: () => digestOfHash(hash.digest()),
  };
}

/** The digest of bytes in memory. */
export function digestOf(bytes: Uint8Array | string): Digest {
  return digestOfHash(createHash("sha256").update(bytes).digest());
}

/** The 64 hexadecimal digits of a digest. */
export function digestHex(digest: Digest): string {
  return digest.slice("sha256:".length);
}

/** The strong entity tag of a blob (RFC 9110, 8.8.3): its digest in quotes. */
export function entityTag(digest: Digest): string {
  return `"${digest}"`;
}
