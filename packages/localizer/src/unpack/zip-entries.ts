import { crc32 } from "node:zlib";
import { messageOf } from "@kindling/core-spec";
import { fromFdPromise, type Entry, type ZipFile } from "yauzl";
import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault, type ArchiveEntry, type EntryKind } from "./archive-entry.ts";
import { shown } from "./entry-path.ts";
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
  const zip = await understood(fromFdPromise(file, { autoClose: false, strictFileNames: true }));
  const entries = zip.eachEntry();
  for (;;) {
    const next = await understood(entries.next());
    if (next.done === true) return;
    // The size is what the content is held to.
    count(next.value.uncompressedSize);
    yield await entryOf(zip, next.value);
  }
}

async function entryOf(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const { fileName, versionMadeBy, externalFileAttributes, uncompressedSize: size } = entry;
  const unix = versionMadeBy >> 8 === UNIX ? externalFileAttributes >>> 16 : 0;
  const named = fileName.endsWith("/");
  const type = KINDS[unix & FILE_TYPE] ?? { refused: "neither a file, a directory nor a link" };
  const kind = named && type === "file" ? "directory" : type;
  const content = (): AsyncIterable<Buffer> => verified(zip, entry);
  if (kind === "symbolic link" && size > MOST_LINK_BYTES) {
    throw new ArchiveFault(`its link ${shown(fileName)} has an enormous target`);
  }
  return {
    name: fileName,
    kind,
    // Writers that know nothing of permissions leave them out.
    mode: (unix & 0o777) === 0 ? (kind === "directory" ? 0o755 : 0o644) : unix,
    size,
    target: kind === "symbolic link" ? await wholeText(content()) : "",
    content,
  };
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
  if (sum !== entry.crc32) throw new ArchiveFault(`its entry ${shown(entry.fileName)} has a wrong checksum`);
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
    : new ArchiveFault(`its zip structure cannot be read: ${messageOf(error)}`);
}
