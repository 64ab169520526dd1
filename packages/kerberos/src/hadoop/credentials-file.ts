import {
  HadoopTokenError,
  tokenBytes,
  TokenReader,
  writeBlock,
  writeNumber,
  type HadoopToken,
} from "./hadoop-token.ts";

/** The form that Spark writes: `HDTS` and a version (Credentials.writeTokenStorageToStream). The other one is a Protobuf. */
const BEGINNING = Buffer.from("HDTS\0", "latin1");

/** A file of tokens: what stands under a name, as it stands there. */
interface Entries {
  readonly tokens: readonly Entry[];
  /** Secrets of other kinds. */
  readonly secrets: readonly Entry[];
}

interface Entry {
  readonly alias: string;
  /** With the alias. */
  readonly bytes: Buffer;
}

/**
 * The file of tokens that `HADOOP_TOKEN_FILE_LOCATION` names. Each token is found by its service
 * (Credentials.writeTokenStorageToStream, FileSystem.collectDelegationTokens).
 */
export function credentialsFile(tokens: readonly HadoopToken[]): Buffer {
  return written({ tokens: tokens.map(entryOf), secrets: [] });
}

/**
 * The same with what an earlier file has; of two tokens for a service, the new one counts (Credentials.addAll).
 *
 * @throws HadoopTokenError if the earlier one is no such file
 */
export function withEarlierCredentials(tokens: readonly HadoopToken[], earlier: Buffer): Buffer {
  const before = parseEntries(earlier);
  const services = new Set(tokens.map(({ service }) => service));
  const kept = before.tokens.filter(({ alias }) => !services.has(alias));
  return written({ tokens: [...kept, ...tokens.map(entryOf)], secrets: before.secrets });
}

/**
 * The tokens in such a file, without its other secrets.
 *
 * @throws HadoopTokenError
 */
export function parseCredentialsFile(bytes: Buffer): HadoopToken[] {
  return parseEntries(bytes).tokens.map((entry) => {
    const reader = new TokenReader(entry.bytes);
    reader.block();
    return reader.token();
  });
}

function parseEntries(bytes: Buffer): Entries {
  if (!bytes.subarray(0, BEGINNING.length).equals(BEGINNING)) throw new HadoopTokenError("it is no file of tokens");
  const content = bytes.subarray(BEGINNING.length);
  const reader = new TokenReader(content);
  const entries = (skip: () => void): Entry[] => {
    const found: Entry[] = [];
    for (let left = reader.number(); left > 0; left--) {
      const start = reader.at;
      const alias = reader.block().toString("utf8");
      skip();
      found.push({ alias, bytes: content.subarray(start, reader.at) });
    }
    return found;
  };
  return { tokens: entries(() => void reader.token()), secrets: entries(() => void reader.block()) };
}

function written({ tokens, secrets }: Entries): Buffer {
  const bytesOf = ({ bytes }: Entry): Buffer => bytes;
  return Buffer.concat([
    BEGINNING,
    writeNumber(tokens.length),
    ...tokens.map(bytesOf),
    writeNumber(secrets.length),
    ...secrets.map(bytesOf),
  ]);
}

function entryOf(token: HadoopToken): Entry {
  const { service } = token;
  return { alias: service, bytes: Buffer.concat([writeBlock(Buffer.from(service)), tokenBytes(token)]) };
}
