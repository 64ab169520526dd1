export interface HdfsStatus {
  /** Empty for the requested path itself, a name for an entry of a listing. */
  readonly name: string;
  /** `FILE`, `DIRECTORY`, or `SYMLINK`. */
  readonly type: string;
  readonly length: number;
  /** Stays the same when the file is renamed; 0 if the service does not report it. */
  readonly fileId: number;
  /** Milliseconds since the epoch, by the name node's clock. */
  readonly modified: number;
}

/** A member of the JSON object in an answer; `undefined` if the answer is no such object, or has no such member. */
export function parseAnswer(text: string, member: string): unknown {
  try {
    const document = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    return typeof document === "object" ? document?.[member] : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a FileStatus (Hadoop, "WebHDFS REST API", FileStatus JSON Schema); `undefined` if the value is none. */
export function parseStatus(value: unknown): HdfsStatus | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { pathSuffix = "", type, length, fileId = 0, modificationTime } = value as Readonly<Record<string, unknown>>;
  if (typeof pathSuffix !== "string" || typeof type !== "string") return undefined;
  if (!isCount(length) || !isCount(fileId) || !isCount(modificationTime)) return undefined;
  return { name: pathSuffix, type, length, fileId, modified: modificationTime };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
