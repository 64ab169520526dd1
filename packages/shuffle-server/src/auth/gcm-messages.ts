import { MalformedError } from "../protocol/byte-reader.ts";
import { MOST_FRAME_BYTES } from "../protocol/frame-reader.ts";
import { crypto, derivedKey } from "./crypto.ts";

// A message is: 8 bytes with its whole length; a header with the length of the header, a salt as long as the key, and the
// beginning of all nonces; segments, each with its tag. Source: `GcmTransportCipher` of Spark 4.3.0, with
// `AesGcmHkdfStreaming` of Tink.
const LENGTH_BYTES = 8;
const PREFIX_BYTES = 7;
const TAG_BYTES = 16;
const SEGMENT_BYTES = 32 * 1024;
/** Messages of clients are requests. */
const MOST_MESSAGE_BYTES = MOST_FRAME_BYTES + 64 * 1024;

interface Message {
  readonly key: Buffer;
  readonly prefix: Buffer;
  readonly length: number;
  segment: number;
  /** Encrypted bytes that have not been read. */
  left: number;
}

/** Decrypts the messages of a client. */
export class GcmOpener {
  readonly #candidates: readonly Buffer[];
  #key: Buffer | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #message: Message | undefined;

  /** @param candidates keys: the first message tells which one is used */
  constructor(candidates: readonly Buffer[]) {
    this.#candidates = candidates;
  }

  /** The key of the messages so far. @throws Error before the first one */
  get key(): Buffer {
    if (this.#key === undefined) throw new Error("no message was received");
    return this.#key;
  }

  /** @throws MalformedError if a message was changed, or is too long */
  open(chunk: Buffer): Buffer {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const plain: Buffer[] = [];
    for (;;) {
      if (this.#message === undefined && !this.#begin()) break;
      const segment = this.#nextSegment();
      if (segment === undefined) break;
      plain.push(segment);
    }
    return Buffer.concat(plain);
  }

  #begin(): boolean {
    if (this.#bytes.length < LENGTH_BYTES) return false;
    const length = Number(this.#bytes.readBigInt64BE());
    if (length < LENGTH_BYTES || length > MOST_MESSAGE_BYTES) throw new MalformedError(`a message of ${length} bytes`);
    // The header begins with its own length, which tells how long the key is.
    const headerBytes = this.#bytes[LENGTH_BYTES];
    if (headerBytes === undefined) return false;
    const key = (this.#key === undefined ? this.#candidates : [this.#key]).find(
      (one) => headerBytes === 1 + one.length + PREFIX_BYTES,
    );
    if (key === undefined) throw new MalformedError("a message with another header");
    const start = LENGTH_BYTES + headerBytes;
    if (this.#bytes.length < start) return false;
    if (length < start + TAG_BYTES) throw new MalformedError("a message without content");
    const salt = this.#bytes.subarray(LENGTH_BYTES + 1, LENGTH_BYTES + 1 + key.length);
    const prefix = Buffer.from(this.#bytes.subarray(LENGTH_BYTES + 1 + key.length, start));
    const messageKey = derivedKey(key, salt, this.#bytes.subarray(0, LENGTH_BYTES), key.length);
    this.#message = { key: messageKey, prefix, length, segment: 0, left: length - start };
    this.#key = key;
    this.#bytes = this.#bytes.subarray(start);
    return true;
  }

  #nextSegment(): Buffer | undefined {
    const message = this.#message;
    if (message === undefined) return undefined;
    const size = Math.min(SEGMENT_BYTES, message.left);
    if (this.#bytes.length < size) return undefined;
    const isLast = size === message.left;
    const plain = openedSegment(message, this.#bytes.subarray(0, size), isLast);
    this.#bytes = this.#bytes.subarray(size);
    message.left -= size;
    message.segment += 1;
    if (isLast) this.#message = undefined;
    return plain;
  }
}

/** Encrypts for a client, in messages of one segment each. */
export class GcmSealer {
  readonly #key: Buffer;
  readonly #mostPlain: number;

  constructor(key: Buffer) {
    this.#key = key;
    // Tink counts the header as a part of the first segment, and Spark does not: then their lengths agree only if it fits in.
    this.#mostPlain = SEGMENT_BYTES - TAG_BYTES - headerLength(key);
  }

  seal(data: Buffer): Buffer {
    const parts: Buffer[] = [];
    for (let start = 0; start < data.length; start += this.#mostPlain) {
      parts.push(...this.#message(data.subarray(start, start + this.#mostPlain)));
    }
    return Buffer.concat(parts);
  }

  #message(data: Buffer): readonly Buffer[] {
    const headerBytes = headerLength(this.#key);
    const head = Buffer.alloc(LENGTH_BYTES + headerBytes);
    head.writeBigInt64BE(BigInt(head.length + data.length + TAG_BYTES));
    head[LENGTH_BYTES] = headerBytes;
    crypto().randomFillSync(head, LENGTH_BYTES + 1);
    const salt = head.subarray(LENGTH_BYTES + 1, LENGTH_BYTES + 1 + this.#key.length);
    const prefix = head.subarray(LENGTH_BYTES + 1 + this.#key.length);
    const key = derivedKey(this.#key, salt, head.subarray(0, LENGTH_BYTES), this.#key.length);
    const cipher = crypto().createCipheriv(nameOf(key), key, nonceOf(prefix, 0, true));
    return [head, cipher.update(data), cipher.final(), cipher.getAuthTag()];
  }
}

function openedSegment({ key, prefix, segment }: Message, bytes: Buffer, isLast: boolean): Buffer {
  const end = bytes.length - TAG_BYTES;
  if (end < 0) throw new MalformedError("a segment without a tag");
  try {
    const nonce = nonceOf(prefix, segment, isLast);
    const decipher = crypto().createDecipheriv(nameOf(key), key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(end));
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
  } catch {
    throw new MalformedError("a message was changed on its way");
  }
}

function headerLength(key: Buffer): number {
  return 1 + key.length + PREFIX_BYTES;
}

function nameOf(key: Buffer): "aes-128-gcm" | "aes-256-gcm" {
  return key.length === 16 ? "aes-128-gcm" : "aes-256-gcm";
}

function nonceOf(prefix: Buffer, segment: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(PREFIX_BYTES + 5);
  prefix.copy(nonce);
  nonce.writeUInt32BE(segment, PREFIX_BYTES);
  nonce[PREFIX_BYTES + 4] = isLast ? 1 : 0;
  return nonce;
}
