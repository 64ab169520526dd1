import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { isObjectStoreError, type ObjectBody, type ObjectBucket } from "@kindling/object-store";
import { messageOf } from "@kindling/core-spec";
import { type Archive, ArchiveError } from "./archive.ts";

export interface BucketArchiveOptions {
  readonly bucket: ObjectBucket;
  /** Of all keys, without a slash at its end; may be empty. */
  readonly prefix: string;
  readonly close: () => void;
}

/** An archive in a bucket of an object store. */
export function bucketArchive({ bucket, prefix, close }: BucketArchiveOptions): Archive {
  const trimmed = prefix.replace(/\/+$/, "");
  const begin = trimmed === "" ? "" : `${trimmed}/`;
  const key = (path: string): string => begin + path;

  async function put(path: string, body: Buffer | ObjectBody): Promise<void> {
    await guarded(() => bucket.put(key(path), { body, contentType: contentTypeOf(path) }));
  }

  return {
    name: bucket.name,
    put,
    putFile: async (path, file) => await put(path, await fileBody(file, bucket.checksum)),
    read: (path) =>
      guarded(async () => {
        const response = await bucket.open(key(path), { start: 0, end: TO_THE_END });
        if (response === undefined) return undefined;
        const chunks: Buffer[] = [];
        for await (const chunk of response.body) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      }),
    open: (path, part) =>
      guarded(async () => {
        const { start, end = TO_THE_END } = part ?? { start: 0 };
        return (await bucket.open(key(path), { start, end }))?.body;
      }),
    async *list(folder) {
      try {
        for await (const { key: found, size, modified } of bucket.list(`${key(folder)}/`))
          yield { path: found.slice(begin.length), size, modified };
      } catch (error) {
        throw archiveError(error);
      }
    },
    folders: (folder) => guarded(() => bucket.folders(`${key(folder)}/`)),
    delete: (path) => guarded(() => bucket.delete(key(path))),
    close() {
      close();
      return Promise.resolve();
    },
  };
}

/** A server gives what there is of a range (RFC 9110, 14.1.2). No file of an archive is empty. */
const TO_THE_END = Number.MAX_SAFE_INTEGER;

function contentTypeOf(path: string): string {
  if (path.endsWith(".gz")) return "application/gzip";
  return path.endsWith(".json") ? "application/json" : "application/octet-stream";
}

async function fileBody(file: string, checksum: ObjectBucket["checksum"]): Promise<ObjectBody> {
  const { size } = await stat(file);
  const hash = createHash(checksum ?? "sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return { length: size, hash: hash.digest("hex"), open: () => createReadStream(file) };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw archiveError(error);
  }
}

function archiveError(error: unknown): unknown {
  return isObjectStoreError(error) ? new ArchiveError(messageOf(error), error) : error;
}
