import { open, type FileHandle } from "node:fs/promises";
import { KindlingError, type SparkConf } from "@kindling/core-spec";
import type { Copy } from "../../plan/uploads.ts";
import { element, S3Client } from "./s3-client.ts";
import { s3Settings } from "./s3-settings.ts";

const MIB = 1024 * 1024;
/** S3 takes at most 10,000 parts; larger parts only where a file would need more. */
const PART_BYTES = 16 * MIB;
const MOST_PARTS = 10_000;
const PARTS_AT_ONCE = 4;

/**
 * Puts one file under its `s3a://bucket/key`: in one request, or in parts where it is larger than 16 MiB. At most four
 * parts are in memory. A file that changes while it is read is an error, as is anything that the store refuses; an
 * upload in parts that fails is aborted, so that the bucket keeps nothing of it.
 *
 * @throws KindlingError `UPLOAD_FAILED`, or what {@link s3Settings} throws
 */
export async function uploadToS3(
  { source, destination }: Copy,
  conf: SparkConf,
  env: (name: string) => string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { bucket, key } = location(destination);
  const client = new S3Client(s3Settings(bucket, conf, env), signal);
  const file = await open(source, "r");
  try {
    const { size } = await file.stat();
    if (size <= PART_BYTES) {
      await client.send({ method: "PUT", key, body: await read(file, 0, size, source) });
      return;
    }
    await uploadParts(client, key, file, size, source);
  } finally {
    await file.close();
  }
}

function location(uri: string): { bucket: string; key: string } {
  const match = /^s3[an]?:\/\/([^/]+)\/+(.+)$/.exec(uri);
  const [, bucket, key] = match ?? [];
  if (bucket === undefined || key === undefined) {
    throw new KindlingError("CONF_INVALID", `${uri} names no bucket`, {
      hint: "write s3a://BUCKET/PREFIX in spark.kubernetes.file.upload.path",
    });
  }
  return { bucket, key: key.replaceAll(/\/{2,}/g, "/") };
}

async function uploadParts(
  client: S3Client,
  key: string,
  file: FileHandle,
  size: number,
  source: string,
): Promise<void> {
  // Cancelled half-way, it might have begun an upload that nobody knows how to abort.
  const begun = await client.uncancelled().send({ method: "POST", key, query: "uploads=" });
  const id = element(begun.text, "UploadId");
  if (id === undefined) {
    throw new KindlingError("UPLOAD_FAILED", "the store gave no UploadId for an upload in parts");
  }
  const uploadId = `uploadId=${encodeURIComponent(id)}`;
  try {
    const etags = await sendParts(client, key, uploadId, file, size, source);
    const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    await client.send({
      method: "POST",
      key,
      query: uploadId,
      body: new TextEncoder().encode(
        `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`,
      ),
    });
  } catch (error) {
    // A part that is still arriving can keep a store from aborting at once; whatever it answers, the error counts.
    await client
      .uncancelled()
      .send({ method: "DELETE", key, query: uploadId })
      .catch(() => undefined);
    throw error;
  }
}

async function sendParts(
  client: S3Client,
  key: string,
  uploadId: string,
  file: FileHandle,
  size: number,
  source: string,
): Promise<readonly string[]> {
  const partBytes = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS / MIB) * MIB);
  const etags = Array.from<string>({ length: Math.ceil(size / partBytes) });
  let next = 0;
  const sendNext = async (): Promise<void> => {
    while (next < etags.length) {
      const part = next++;
      const start = part * partBytes;
      const query = `partNumber=${part + 1}&${uploadId}`;
      try {
        const body = await read(file, start, Math.min(partBytes, size - start), source);
        etags[part] = (await client.send({ method: "PUT", key, query, body })).etag;
      } catch (error) {
        next = etags.length;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: PARTS_AT_ONCE }, sendNext));
  for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
  return etags;
}

async function read(file: FileHandle, start: number, length: number, source: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
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
