import type { KeyObject } from "node:crypto";
import { ByteReader } from "../protocol/byte-reader.ts";
import { ByteWriter } from "../protocol/byte-writer.ts";
import { crypto, derivedKey } from "./crypto.ts";

/** The keys of a connection. */
export interface SessionKeys {
  /** By the version of the protocol (`spark.network.crypto.authEngineVersion`). */
  readonly keys: { readonly v1: Buffer; readonly v2: Buffer };
  /** Initial values of AES-CTR: for what the client sends, and for what the server sends. */
  readonly fromClient: Buffer;
  readonly toClient: Buffer;
}

/** A message of the handshake (`AuthMessage`). */
export interface AuthMessage {
  readonly application: string;
  readonly salt: Buffer;
  /** A public key of X25519, encrypted with AES-GCM: 12 bytes of nonce, the key, 16 bytes of tag. */
  readonly ciphertext: Buffer;
}

const TAG = 0xfb;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const MAC_BYTES = 16;
const PUBLIC_KEY_BYTES = 32;
const GCM = "aes-128-gcm";
const NOTHING = Buffer.alloc(0);

/**
 * Answers a client's challenge: both sides prove that they know the secret, and agree on keys.
 *
 * Source: `common/network-common/.../crypto/AuthEngine.java` and its README, Spark 3.5.9 and 4.1.1.
 *
 * @param secret that both sides know
 * @param challenge the body of the client's RPC
 * @throws Error of any kind if the client does not know the secret, or the challenge is malformed
 */
export function agreeOnKeys(
  secret: string,
  challenge: Buffer,
): { readonly application: string; readonly answer: Buffer; readonly keys: SessionKeys } {
  const asked = decodeAuthMessage(challenge);
  const { application } = asked;
  const clientKey = opened(secret, asked, NOTHING);
  if (clientKey.length !== PUBLIC_KEY_BYTES) throw new Error("the public key has another length");
  const pair = crypto().generateKeyPairSync("x25519");
  const { x = "" } = pair.publicKey.export({ format: "jwk" });
  const first = encodeAuthMessage(asked);
  const answered = sealed(secret, application, Buffer.from(x, "base64url"), first);
  const answer = encodeAuthMessage(answered);
  const shared = crypto().diffieHellman({ privateKey: pair.privateKey, publicKey: publicKey(clientKey) });
  return { application, answer, keys: sessionKeys(shared, Buffer.concat([first, answer])) };
}

/** The keys that follow from what both sides have computed, and from all messages between them. */
export function sessionKeys(shared: Buffer, transcript: Buffer): SessionKeys {
  return {
    keys: { v1: shared, v2: derivedKey(shared, transcript, "derivedKey", KEY_BYTES) },
    fromClient: derivedKey(shared, transcript, "outputIv", KEY_BYTES),
    toClient: derivedKey(shared, transcript, "inputIv", KEY_BYTES),
  };
}

/** A public key of X25519 from its 32 bytes. */
export function publicKey(bytes: Buffer): KeyObject {
  const jwk = { kty: "OKP", crv: "X25519", x: bytes.toString("base64url") };
  return crypto().createPublicKey({ key: jwk, format: "jwk" });
}

/** @throws MalformedError */
export function decodeAuthMessage(body: Buffer): AuthMessage {
  const reader = new ByteReader(body);
  if ((reader.byte() & 0xff) !== TAG) throw new Error("not a message of the handshake");
  return { application: reader.text(), salt: reader.bytes(), ciphertext: reader.bytes() };
}

export function encodeAuthMessage({ application, salt, ciphertext }: AuthMessage): Buffer {
  return new ByteWriter()
    .byte(TAG - 0x100)
    .text(application)
    .bytes(salt)
    .bytes(ciphertext)
    .written();
}

/** Encrypts a public key with a key that follows from the secret, the application and the messages before. */
export function sealed(secret: string, application: string, key: Buffer, transcript: Buffer): AuthMessage {
  const salt = crypto().randomBytes(KEY_BYTES);
  const state = Buffer.concat([Buffer.from(application, "utf8"), salt, transcript]);
  const nonce = crypto().randomBytes(NONCE_BYTES);
  const cipher = crypto().createCipheriv(GCM, derivedKey(Buffer.from(secret, "utf8"), salt, state, KEY_BYTES), nonce);
  cipher.setAAD(state);
  const ciphertext = Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
  return { application, salt, ciphertext };
}

/** The inverse of {@link sealed}. @throws Error if the secret or anything else is not the same */
export function opened(secret: string, { application, salt, ciphertext }: AuthMessage, transcript: Buffer): Buffer {
  const state = Buffer.concat([Buffer.from(application, "utf8"), salt, transcript]);
  const key = derivedKey(Buffer.from(secret, "utf8"), salt, state, KEY_BYTES);
  const end = Math.max(NONCE_BYTES, ciphertext.length - MAC_BYTES);
  const decipher = crypto().createDecipheriv(GCM, key, ciphertext.subarray(0, NONCE_BYTES), {
    authTagLength: MAC_BYTES,
  });
  decipher.setAAD(state);
  decipher.setAuthTag(ciphertext.subarray(end));
  return Buffer.concat([decipher.update(ciphertext.subarray(NONCE_BYTES, end)), decipher.final()]);
}
