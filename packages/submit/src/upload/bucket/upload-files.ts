import { open, readFile, type FileHandle } from "node:fs/promises";
import { KindlingError } from "@kindling/core-spec";
import { environmentProxies, httpTransport, type HttpTransport } from "@kindling/http";
import { bytesBody, MOST_PARTS, type ObjectBucket } from "@kindling/object-store";
import type { Copy } from "../../plan/uploads.ts";
import type { UploadOutside } from "../upload-outside.ts";
import { uploadError, type UploadHints } from "./upload-error.ts";

/** Where a file goes. */
export interface ObjectPlace {
  /** Names the bucket among all buckets of an upload. */
  readonly bucket: string;
  readonly key: string;
}

/** One kind of store. */
export interface UploadTarget {
  /** @throws KindlingError for a URI that names no bucket */
  place(uri: string): ObjectPlace;
  /** The bucket that a URI is in. */
  open(uri: string, transport: HttpTransport): ObjectBucket;
  readonly hints: UploadHints;
}

const MIB = 1024 * 1024;
/** Stores accept at most 10,000 parts; parts are larger only if a file would need more. */
const PART_BYTES = 16 * MIB;
const PARTS_IN_MEMORY = 4;

/**
 * Uploads files to an object store: each in one request, or in parts if it is larger than 16 MiB. At most four parts are in
 * memory. It is an error if a file changes while it is read, or if the store refuses something. A failed upload in parts is
 * aborted, so that the bucket keeps nothing of it.
 *
 * @throws KindlingError `UPLOAD_FAILED`, `CONF_MISSING` if there are no credentials, or an error of the target
 */
export async function uploadFiles(
  files: AsyncIterable<Copy>,
  target: UploadTarget,
  outside: UploadOutside,
  signal: AbortSignal | undefined,
): Promise<void> {
  const transport = httpTransport({
    clock: outside.clock,
    tls: {},
    proxies: environmentProxies(outside.env),
    connectTimeoutMs: 10_000,
    stallTimeoutMs: 30_000,
    answerTimeoutMs: 120_000,
  });
  const buckets = new Map<string, ObjectBucket>();
  try {
    for await (const { source, destination } of files) {
      const { bucket: name, key } = target.place(destination);
      const bucket = buckets.get(name) ?? target.open(destination, transport);
      buckets.set(name, bucket);
      await uploadFile(bucket, key.replaceAll(/\/{2,}/g, "/"), source, signal);
    }
  } catch (error) {
    throw uploadError(error, target.hints);
  } finally {
    transport.close();
  }
}

async function uploadFile(
  bucket: ObjectBucket,
  key: string,
  source: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = await open(source, "r");
  try {
    const { size } = await file.stat();
    if (size <= PART_BYTES) {
      await bucket.put(key, { body: await read(file, 0, size, source), signal });
      return;
    }
    await uploadParts(bucket, key, { file, size, source }, signal);
  } finally {
    await file.close();
  }
}

async function uploadParts(
  bucket: ObjectBucket,
  key: string,
  { file, size, source }: { readonly file: FileHandle; readonly size: number; readonly source: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const partSize = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS / MIB) * MIB);
  // An account that may upload may not be allowed to read.
  const upload = bucket.multipart({ key, partSize, atOnce: PARTS_IN_MEMORY, mayRead: false, signal });
  try {
    for (let start = 0; start < size; start += partSize) {
      const bytes = await read(file, start, Math.min(partSize, size - start), source);
      await upload.add({ body: () => bytesBody(bytes, bucket), close: () => Promise.resolve() });
    }
    await upload.complete();
  } catch (error) {
    // A part that is still arriving can keep a store from aborting at once. Whatever the store answers, the original error is
    // reported.
    await upload.abort().catch(() => undefined);
    throw error;
  }
}

async function read(file: FileHandle, start: number, length: number, source: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) {
      throw new KindlingError("UPLOAD_FAILED", `${source} became shorter while it was read`);
    }
    filled += bytesRead;
  }
  return bytes;
}

/** Reads a file of credentials; `undefined` if there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new KindlingError("FILE_UNREADABLE", `${path} cannot be read`, { cause: error });
  }
}
