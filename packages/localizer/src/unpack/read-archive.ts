import type { FileHandle } from "node:fs/promises";
import { addAbortSignal, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { messageOf } from "@kindling/core-spec";
import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault, type ArchiveEntry } from "./archive-entry.ts";
import { byteReader } from "./byte-reader.ts";
import { tarEntries } from "./tar-entries.ts";
import { unpackedLimit } from "./unpacked-limit.ts";

// Larger chunks mean fewer turns, but this size also determines the memory of a transfer.
const CHUNK = 256 * 1024;

const OTHER_FORMATS: readonly (readonly [string, string])[] = [
  ["425a68", "bzip2"],
  ["fd377a585a00", "xz"],
  ["28b52ffd", "zstd"],
  ["377abcaf271c", "7-Zip"],
  ["52617221", "RAR"],
];

/**
 * The entries of an archive. Its contents decide about the format, and not its name.
 *
 * @param file open for reading; left open
 * @param signal also ends it where no entry comes: after the last one, or in data that unpack to nothing
 * @throws ArchiveFault
 */
export async function* readArchive(
  file: FileHandle,
  packedBytes: number,
  limits: Limits,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  const head = buffer.subarray(0, bytesRead);
  if (/^PK(\x03\x04|\x05\x06)/.test(head.toString("latin1", 0, 4))) {
    const { zipEntries } = await import("./zip-entries.ts");
    yield* zipEntries(file.fd, packedBytes, limits);
    return;
  }
  const other = OTHER_FORMATS.find(([magic]) => head.toString("hex").startsWith(magic));
  if (other !== undefined) {
    throw new ArchiveFault(`it is packed with ${other[1]}; supported are tar, tar.gz, zip and jar`);
  }
  const count = unpackedLimit(packedBytes, limits);
  const chunks = unpackedChunks(file, head[0] === 0x1f && head[1] === 0x8b, count, signal);
  try {
    yield* tarEntries(byteReader(chunks));
  } finally {
    await chunks.return();
  }
}

/** The bytes of a tar archive; a caller that does not read all of them must return the generator. */
async function* unpackedChunks(
  file: FileHandle,
  gzip: boolean,
  count: (bytes: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const packed = file.createReadStream({ autoClose: false, start: 0, highWaterMark: CHUNK });
  try {
    const unpacked = addAbortSignal(signal, gzip ? gunzipped(packed) : packed);
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      count(chunk.length);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith("Z_") !== true) throw error;
    throw new ArchiveFault(`its gzip data is damaged: ${messageOf(error)}`);
  }
}

function gunzipped(packed: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: CHUNK });
  pipeline(packed, gunzip, () => undefined);
  return gunzip;
}
