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

/**
 * The same form, for an operation about the token. A name node looks at the identifier alone; kind and service stay out, because
 * it would not know another kind.
 */
export function tokenText({ identifier, password }: HadoopToken): string {
  return tokenBytes({ identifier, password, kind: "", service: "" }).toString("base64url");
}

/** What Hadoop writes (Token.write). */
export function tokenBytes({ identifier, password, kind, service }: HadoopToken): Buffer {
  return Buffer.concat([identifier, password, Buffer.from(kind), Buffer.from(service)].map(writeBlock));
}

export function writeBlock(bytes: Buffer): Buffer {
  return Buffer.concat([writeNumber(bytes.length), bytes]);
}

/** WritableUtils.writeVInt for numbers that are not negative: a byte, or how many bytes follow and these. */
export function writeNumber(value: number): Buffer {
  if (value <= 127) return Buffer.from([value]);
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([256 - 112 - bytes.length, ...bytes]);
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

  /** WritableUtils.readVInt and readVLong, of up to 48 bits; lengths and times are never negative. */
  number(): number {
    const first = this.#take(1).readInt8();
    if (first >= 0) return first;
    const length = -(first + 112);
    if (length < 1 || length > 6) throw new HadoopTokenError("it has a length that is none");
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
