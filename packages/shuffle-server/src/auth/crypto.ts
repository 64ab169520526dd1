import type * as NodeCrypto from "node:crypto";

/** Node's cryptography, loaded when the first client authenticates: most applications do not. */
export const crypto = (): typeof NodeCrypto => process.getBuiltinModule("node:crypto");

/** A key that is derived from another one (RFC 5869, with HMAC-SHA-256). */
export function derivedKey(key: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number): Buffer {
  return Buffer.from(crypto().hkdfSync("sha256", key, salt, info, length));
}
