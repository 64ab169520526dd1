import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import { harmlessText, messageOf } from "@kindling/core-spec";
import { fromFdPromise, getFileNameLowLevel, validateFileName, type Entry, type ZipFile } from "yauzl";
import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault, type ArchiveEntry, type EntryKind } from "./archive-entry.ts";
import { tooMany } from "./made-limit.ts";
import { unpackedLimit } from "./unpacked-limit.ts";

const UNIX = 3;
const FILE_TYPE = 0o170000;
const KINDS: Readonly<Record<number, EntryKind>> = {
  0o000000: "file",
  0o100000: "file",
  0o040000: "directory",
  0o120000: "symbolic link",
};
const MOST_LINK_BYTES = 4096;
// APPNOTE.TXT, 4.3.7: the header before the content of each entry, without its name.
const LOCAL_HEADER_BYTES = 30;

/**
 * The entries of a zip or jar archive, as its central directory lists them. Sizes and checksums are verified while the
 * content is read.
 *
 * @param file open for reading; left open
 * @throws ArchiveFault
 */
export async function* zipEntries(
  file: number,
  packedBytes: number,
  limits: Limits,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const count = unpackedLimit(packedBytes, limits);
  const zip = await understood(fromFdPromise(file, { autoClose: false, decodeStrings: false }));
  if (zip.entryCount > limits.maxUnpackedFiles) throw tooMany(limits.maxUnpackedFiles);
  const entries = zip.eachEntry();
  let packed = 0;
  for (;;) {
    const next = await understood(entries.next());
    if (next.done === true) return;
    // Several entries may refer to the same bytes, and then unpack to many times their size.
    packed += LOCAL_HEADER_BYTES + next.value.compressedSize;
    if (packed > packedBytes) throw new ArchiveFault("it has entries that overlap each other");
    // The content must have exactly this size.
    count(next.value.uncompressedSize);
    yield await entryOf(zip, next.value);
  }
}

async function entryOf(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const { externalFileAttributes, uncompressedSize: size } = entry;
  const name = nameOf(entry);
  const unix = isOfUnix(entry) ? externalFileAttributes >>> 16 : 0;
  const type = KINDS[unix & FILE_TYPE] ?? { refused: "neither a file, a directory nor a link" };
  const kind = name.endsWith("/") && type === "file" ? "directory" : type;
  const content = (): AsyncIterable<Buffer> => verified(zip, entry);
  if (kind === "symbolic link" && size > MOST_LINK_BYTES) {
    throw new ArchiveFault((quoted) => `its link ${quoted(name)} has an enormous target`);
  }
  return {
    name,
    kind,
    // Some writers do not know permissions, and leave them out.
    mode: (unix & 0o777) === 0 ? (kind === "directory" ? 0o755 : 0o644) : unix,
    size,
    target: kind === "symbolic link" ? await wholeText(content()) : "",
    content,
  };
}

function isOfUnix({ versionMadeBy }: Entry): boolean {
  return versionMadeBy >> 8 === UNIX;
}

/** Without the flag for UTF-8, a name is in code page 437; but programs on Unix write the bytes of names unchanged. */
function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const named = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  const name = isOfUnix(entry) && isUtf8(fileNameRaw) ? fileNameRaw.toString("utf8") : named;
  const fault = validateFileName(name);
  // The fault's text ends with the name.
  if (fault !== null) {
    throw new ArchiveFault((quoted) => `it has an entry ${quoted(name)} with an ${fault.replace(/:.*$/s, "")}`);
  }
  return name;
}

async function* verified(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void, undefined> {
  const stream = await understood(zip.openReadStreamPromise(entry));
  let sum = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw damaged(error);
  } finally {
    stream.destroy();
  }
  if (sum !== entry.crc32)
    throw new ArchiveFault((quoted) => `its entry ${quoted(nameOf(entry))} has a wrong checksum`);
}

async function wholeText(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function understood<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(error: unknown): ArchiveFault {
  return error instanceof ArchiveFault
    ? error
    : new ArchiveFault(`its zip structure cannot be read: ${harmlessText(messageOf(error))}`);
}
