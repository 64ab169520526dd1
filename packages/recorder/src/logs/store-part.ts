import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Archive } from "../archive/archive.ts";

/** A part of a log goes to the archive, compressed with gzip: `zless` and `zcat` read it. */
export async function storePart(archive: Archive, path: string, file: string): Promise<void> {
  const compressed = `${file}.gz`;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(compressed, { mode: 0o600 }));
    await archive.putFile(path, compressed);
  } finally {
    await rm(compressed, { force: true });
  }
}
