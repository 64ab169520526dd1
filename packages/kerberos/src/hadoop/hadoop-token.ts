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

// The magic bytes and the version of Credentials.writeTokenStorageToStream, which Spark uses.
const BEGINNING = Buffer.from("HDTS\0", "latin1");

/**
 * The file of tokens that `HADOOP_TOKEN_FILE_LOCATION` names. Each token is found by its service
 * (Credentials.writeTokenStorageToStream, FileSystem.collectDelegationTokens).
 */
export function credentialsFile(tokens: readonly HadoopToken[]): Buffer {
  const entries = tokens.flatMap(({ identifier, password, kind, service }) => [
    block(Buffer.from(service)),
    block(identifier),
    block(password),
    block(Buffer.from(kind)),
    block(Buffer.from(service)),
  ]);
  const noOtherSecrets = number(0);
  return Buffer.concat([BEGINNING, number(tokens.length), ...entries, noOtherSecrets]);
}

/**
 * The tokens in such a file, without its other secrets.
 *
 * @throws HadoopTokenError
 */
export function parseCredentialsFile(bytes: Buffer): HadoopToken[] {
  if (!bytes.subarray(0, BEGINNING.length).equals(BEGINNING)) throw new HadoopTokenError("it is no file of tokens");
  const reader = new TokenReader(bytes.subarray(BEGINNING.length));
  const tokens: HadoopToken[] = [];
  for (let left = reader.number(); left > 0; left--) {
    reader.block();
    tokens.push(reader.token());
  }
  return tokens;
}

function block(bytes: Buffer): Buffer {
  return Buffer.concat([number(bytes.length), bytes]);
}

/** WritableUtils.writeVInt for numbers that are not negative: a byte, or how many bytes follow and these. */
function number(value: number): Buffer {
  if (value <= 127) return Buffer.from([value]);
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([256 - 112 - bytes.length, ...bytes]);
}

class TokenReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
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
