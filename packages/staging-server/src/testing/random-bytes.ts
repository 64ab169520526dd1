import { randomBytes } from "node:crypto";
import { digestOf, type Digest } from "@kindling/staging-client";
import type { BlobReader, BlobStore, Ingest } from "../stores/blob-store.ts";

export const MIB: number = 1024 * 1024;

/** Bytes that were not used before, with their digest. */
export interface Sample {
  readonly bytes: Buffer;
  readonly digest: Digest;
}

export function sample(size: number): Sample {
  const bytes = randomBytes(size);
  return { bytes, digest: digestOf(bytes) };
}

/** Writes bytes in chunks as a network gives them. */
export async function writeAll(ingest: Ingest, bytes: Buffer): Promise<void> {
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += 64 * 1024) {
    // Copied, because the ingest then owns the chunks and their memory.
    chunks.push(Buffer.from(bytes.subarray(start, start + 64 * 1024)));
  }
  for (let start = 0; start < chunks.length; start += 4) await ingest.write(chunks.slice(start, start + 4));
}

export async function readAll(reader: BlobReader | undefined): Promise<Buffer> {
  if (reader === undefined) throw new Error("there is no such blob");
  const chunks: Buffer[] = [];
  try {
    // Copied: a chunk is valid only until the next one.
    for await (const chunk of reader) chunks.push(Buffer.from(chunk));
  } finally {
    await reader.close();
  }
  return Buffer.concat(chunks);
}

/** Stores a blob the usual way. */
export async function store(blobs: BlobStore, id: string, { bytes, digest }: Sample): Promise<"created" | "existed"> {
  const ingest = await blobs.begin({ id, size: bytes.length });
  await writeAll(ingest, bytes);
  return await (await ingest.seal()).publish(digest);
}
