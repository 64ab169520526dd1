/** A delegation token of Hadoop (Token). */
export interface HadoopToken {
  readonly identifier: Buffer;
  /** The secret that goes with the identifier. */
  readonly password: Buffer;
  readonly kind: string;
  /** The service that it is for: `ha-hdfs:nameservice` or `address:port`. */
  readonly service: string;
}

/** Bytes that are no token, or no file of tokens. */
export class HadoopTokenError extends Error {}

/**
 * Reads the form of a token in URLs and in WebHDFS' answers (Token.decodeFromUrlString).
 *
 * @throws HadoopTokenError
 */
export function parseTokenText(text: string): HadoopToken {
  if (!/^[\w-]+={0,2}$/.test(text)) throw new HadoopTokenError("it has characters that a token has not");
  return new TokenReader(Buffer.from(text, "base64url")).token();
}

/** Reads what Hadoop writes. Throws a HadoopTokenError at the end of the bytes. */
export class TokenReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** How many bytes were read. */
  get at(): number {
    return this.#at;
  }

  token(): HadoopToken {
    const identifier = this.block();
    const password = this.block();
    return { identifier, password, kind: this.block().toString("utf8"), service: this.block().toString("utf8") };
  }

  block(): Buffer {
    return this.#take(this.number());
  }

  /** WritableUtils.readVInt; a length is never negative. */
  number(): number {
    const first = this.#take(1).readInt8();
    if (first >= 0) return first;
    const length = -(first + 112);
    if (length < 1 || length > 4) throw new HadoopTokenError("it has a length that is none");
    return this.#take(length).readUIntBE(0, length);
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new HadoopTokenError("it ends too early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
