import { MalformedError } from "../protocol/byte-reader.ts";
import { crypto } from "./crypto.ts";
import { GcmOpener, GcmSealer } from "./gcm-messages.ts";
import type { SessionKeys } from "./key-agreement.ts";

interface Both {
  open(chunk: Buffer): Buffer;
  seal(data: Buffer): Buffer;
}

const LENGTH_BYTES = 8;

/**
 * Encrypts what the server sends, and decrypts what it receives. Which cipher and which key that are, the client's first bytes
 * tell: they are the length of its first frame, or with AES-GCM the length of its first message. With a wrong key, a length is
 * plausible once in four thousand million times.
 */
export class SessionCipher {
  readonly #keys: SessionKeys;
  #both: Both | undefined;
  #early: Buffer = Buffer.alloc(0);

  constructor(keys: SessionKeys) {
    this.#keys = keys;
  }

  /** @throws MalformedError if the bytes are not encrypted as was agreed */
  open(chunk: Buffer): Buffer {
    if (this.#both !== undefined) return this.#both.open(chunk);
    this.#early = Buffer.concat([this.#early, chunk]);
    if (this.#early.length < LENGTH_BYTES) return Buffer.alloc(0);
    this.#both = this.#recognized(this.#early);
    return this.#both.open(this.#early);
  }

  /** The client has sent something before, because the server only answers. */
  seal(data: Buffer): Buffer {
    if (this.#both === undefined) throw new Error("nothing was received that is encrypted");
    return this.#both.seal(data);
  }

  #recognized(bytes: Buffer): Both {
    const { keys, fromClient, toClient } = this.#keys;
    if (isLength(bytes)) {
      const opener = new GcmOpener([keys.v2, keys.v1]);
      return { open: (chunk) => opener.open(chunk), seal: (data) => new GcmSealer(opener.key).seal(data) };
    }
    for (const key of [keys.v2, keys.v1]) {
      const name = `aes-${key.length * 8}-ctr`;
      if (!isLength(crypto().createDecipheriv(name, key, fromClient).update(bytes.subarray(0, LENGTH_BYTES)))) continue;
      const decipher = crypto().createDecipheriv(name, key, fromClient);
      const cipher = crypto().createCipheriv(name, key, toClient);
      return { open: (chunk) => decipher.update(chunk), seal: (data) => cipher.update(data) };
    }
    throw new MalformedError("the first bytes after the handshake are not encrypted as was agreed");
  }
}

/** Whether bytes begin with a length below 2^32. */
function isLength(bytes: Buffer): boolean {
  return bytes.readUInt32BE(0) === 0;
}
