import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import type { Archive } from "../archive/archive.ts";
import type { PartContent } from "../spool/kept-log.ts";

const gzipped = promisify<Buffer, Buffer>(gzip);

/** A part of a log goes to the archive, compressed with gzip: `zless` and `zcat` read it. */
export async function storePart(archive: Archive, path: string, content: PartContent): Promise<void> {
  if ("text" in content) await archive.put(path, await gzipped(content.text));
  else await storeFile(archive, path, content.file);
}

async function storeFile(archive: Archive, path: string, file: string): Promise<void> {
  const compressed = `${file}.gz`;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(compressed, { mode: 0o600 }));
    await archive.putFile(path, compressed);
  } finally {
    await rm(compressed, { force: true });
  }
}
