/** A delegation token of Hadoop. */
export interface HadoopToken {
  readonly kind: string;
  /** The service that it is for: `ha-hdfs:nameservice` or `address:port`. */
  readonly service: string;
  /** The form for the query of a WebHDFS request (Hadoop, Token.encodeToUrlString). */
  readonly urlString: string;
}

/**
 * Reads the tokens of a file that `HADOOP_TOKEN_FILE_LOCATION` names (Hadoop, Credentials.readTokenStorageStream, the
 * form `HDTS` 0 that Spark writes).
 *
 * @returns `undefined` if the bytes are no such file
 */
export function parseHadoopTokens(bytes: Buffer): readonly HadoopToken[] | undefined {
  if (bytes.toString("latin1", 0, 4) !== "HDTS" || bytes[4] !== 0) return undefined;
  const reader = writableReader(bytes, 5);
  try {
    const count = reader.integer();
    const tokens: HadoopToken[] = [];
    for (let index = 0; index < count; index++) {
      reader.bytes();
      const start = reader.position();
      reader.bytes();
      reader.bytes();
      const kind = reader.bytes().toString("utf8");
      const service = reader.bytes().toString("utf8");
      tokens.push({ kind, service, urlString: bytes.toString("base64url", start, reader.position()) });
    }
    return tokens;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The token for an HDFS: by its name service, or by the name or address of one of its hosts. */
export function tokenFor(
  tokens: readonly HadoopToken[],
  nameService: string,
  hosts: readonly string[],
): HadoopToken | undefined {
  const own = tokens.filter(({ kind }) => kind === "HDFS_DELEGATION_TOKEN" || kind === "WEBHDFS delegation");
  return (
    own.find(({ service }) => service === `ha-hdfs:${nameService}`) ??
    own.find(({ service }) => hosts.includes(service.replace(/:\d+$/, "")))
  );
}

interface WritableReader {
  position(): number;
  integer(): number;
  bytes(): Buffer;
}

/** @throws RangeError if the bytes end too early or make no sense */
function writableReader(buffer: Buffer, start: number): WritableReader {
  let offset = start;
  /** Hadoop, WritableUtils.readVLong. */
  const integer = (): number => {
    const first = buffer.readInt8(offset++);
    if (first >= -112) return first;
    const length = first >= -120 ? -(first + 112) : -(first + 120);
    if (first < -120 || length > 4) throw new RangeError("not a length");
    const value = buffer.readUIntBE(offset, length);
    offset += length;
    return value;
  };
  return {
    position: () => offset,
    integer,
    bytes() {
      const length = integer();
      if (length < 0 || offset + length > buffer.length) throw new RangeError("longer than the file");
      offset += length;
      return buffer.subarray(offset - length, offset);
    },
  };
}
