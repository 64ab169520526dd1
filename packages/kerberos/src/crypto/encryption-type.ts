import { createHmac, timingSafeEqual } from "node:crypto";
import type { Random } from "@kindling/outside";
import { decryptCts, encryptBlocks, encryptCts } from "./aes-cts.ts";
import { nFold } from "./n-fold.ts";

/** What a message encrypts or signs with a key (RFC 4120, section 7.5.1). */
export const KEY_USAGE = {
  /** The time in a login, with the user's own key. */
  loginTime: 1,
  /** The answer to a login. */
  loginReply: 3,
  /** The checksum over the body of a TGS-REQ. */
  tgsRequestChecksum: 6,
  tgsRequestAuthenticator: 7,
  tgsReply: 8,
  serviceAuthenticator: 11,
} as const;

/** A way to encrypt and to sign (RFC 3961, section 3). Methods take the key of a session; other keys are derived from it. */
export interface EncryptionType {
  readonly number: number;
  readonly name: string;
  /** Of a key, in bytes. */
  readonly keyLength: number;
  /** The number of its checksum. */
  readonly checksumType: number;
  seal(key: Buffer, usage: number, plain: Buffer, random: Random): Buffer;
  /** `undefined` if the bytes were not sealed with this key for this usage. */
  open(key: Buffer, usage: number, sealed: Buffer): Buffer | undefined;
  checksum(key: Buffer, usage: number, bytes: Buffer): Buffer;
}

const CONFOUNDER = 16;

// The kinds of keys that are derived for a usage (RFC 3961, 5.3).
const ENCRYPTION = 0xaa;
const INTEGRITY = 0x55;
const CHECKSUM = 0x99;

/** RFC 3962: the signature is over the plain text. */
function aesSha1(number: number, checksumType: number, keyLength: number): EncryptionType {
  const derived = (key: Buffer, usage: number, kind: number): Buffer => deriveSha1(key, usageOctets(usage, kind));
  const sign = (key: Buffer, bytes: Buffer): Buffer => createHmac("sha1", key).update(bytes).digest().subarray(0, 12);
  return {
    number,
    name: `aes${keyLength * 8}-cts-hmac-sha1-96`,
    keyLength,
    checksumType,
    checksum: (key, usage, bytes) => sign(derived(key, usage, CHECKSUM), bytes),
    seal(key, usage, plain, random) {
      const whole = Buffer.concat([random.bytes(CONFOUNDER), plain]);
      const signature = sign(derived(key, usage, INTEGRITY), whole);
      return Buffer.concat([encryptCts(derived(key, usage, ENCRYPTION), whole), signature]);
    },
    open(key, usage, sealed) {
      if (sealed.length < CONFOUNDER + 12) return undefined;
      const whole = decryptCts(derived(key, usage, ENCRYPTION), sealed.subarray(0, -12));
      const signature = sign(derived(key, usage, INTEGRITY), whole);
      return timingSafeEqual(signature, sealed.subarray(-12)) ? whole.subarray(CONFOUNDER) : undefined;
    },
  };
}

/** DK of RFC 3961, section 5.1, for keys that are random bytes. */
export function deriveSha1(key: Buffer, constant: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let block = nFold(constant, 16); blocks.length * 16 < key.length;) {
    block = encryptBlocks(key, block);
    blocks.push(block);
  }
  return Buffer.concat(blocks).subarray(0, key.length);
}

/** RFC 8009: the signature is over the initial vector and the encrypted text. */
function aesSha2(number: number, checksumType: number, keyLength: number): EncryptionType {
  const hash = keyLength === 16 ? "sha256" : "sha384";
  const size = keyLength === 16 ? 16 : 24;
  const derived = (key: Buffer, usage: number, kind: number): Buffer =>
    deriveSha2(hash, key, usageOctets(usage, kind), kind === ENCRYPTION ? keyLength : size);
  const sign = (key: Buffer, bytes: Buffer): Buffer => createHmac(hash, key).update(bytes).digest().subarray(0, size);
  const signSealed = (key: Buffer, usage: number, sealed: Buffer): Buffer =>
    sign(derived(key, usage, INTEGRITY), Buffer.concat([Buffer.alloc(16), sealed]));
  return {
    number,
    name: `aes${keyLength * 8}-cts-hmac-${hash}-${size * 8}`,
    keyLength,
    checksumType,
    checksum: (key, usage, bytes) => sign(derived(key, usage, CHECKSUM), bytes),
    seal(key, usage, plain, random) {
      const whole = Buffer.concat([random.bytes(CONFOUNDER), plain]);
      const sealed = encryptCts(derived(key, usage, ENCRYPTION), whole);
      return Buffer.concat([sealed, signSealed(key, usage, sealed)]);
    },
    open(key, usage, bytes) {
      if (bytes.length < CONFOUNDER + size) return undefined;
      const sealed = bytes.subarray(0, -size);
      if (!timingSafeEqual(signSealed(key, usage, sealed), bytes.subarray(-size))) return undefined;
      return decryptCts(derived(key, usage, ENCRYPTION), sealed).subarray(CONFOUNDER);
    },
  };
}

/** KDF-HMAC-SHA2 of RFC 8009, section 3, with no more than one block. */
export function deriveSha2(hash: "sha256" | "sha384", key: Buffer, label: Buffer, length: number): Buffer {
  const bits = Buffer.alloc(4);
  bits.writeUInt32BE(length * 8);
  const input = Buffer.concat([Buffer.from([0, 0, 0, 1]), label, Buffer.from([0]), bits]);
  return createHmac(hash, key).update(input).digest().subarray(0, length);
}

function usageOctets(usage: number, kind: number): Buffer {
  const octets = Buffer.alloc(5);
  octets.writeUInt32BE(usage);
  octets[4] = kind;
  return octets;
}

/** The types that are spoken here, in the order in which MIT's client asks for them (krb5.conf, permitted_enctypes). */
export const ENCRYPTION_TYPES: readonly EncryptionType[] = [
  aesSha1(18, 16, 32),
  aesSha1(17, 15, 16),
  aesSha2(20, 20, 32),
  aesSha2(19, 19, 16),
];

export function encryptionType(number: number): EncryptionType | undefined {
  return ENCRYPTION_TYPES.find((each) => each.number === number);
}

// Those that are no longer safe (RFC 6649, RFC 8429), by their names in `klist -e`.
const OLD_TYPES: Readonly<Record<number, string>> = {
  1: "des-cbc-crc",
  3: "des-cbc-md5",
  16: "des3-cbc-sha1",
  23: "arcfour-hmac (RC4)",
  24: "arcfour-hmac-exp (RC4)",
};

/** A type for people, also one that is not spoken here. */
export function encryptionTypeName(number: number): string {
  return encryptionType(number)?.name ?? OLD_TYPES[number] ?? `encryption type ${number}`;
}
