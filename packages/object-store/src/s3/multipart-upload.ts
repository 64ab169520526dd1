import { StoreError } from "../store-error.ts";
import type { S3Client } from "./s3-client.ts";
import { escape, textOf } from "./s3-xml.ts";
import type { Spool } from "./spool.ts";

/** What it takes to go on with a multipart upload. Plain JSON. */
export interface MultipartState {
  readonly uploadId: string;
  readonly partSize: number;
  /** Entity tags of the parts, in order. */
  readonly parts: readonly string[];
}

export interface MultipartUpload {
  /** Bytes of all parts so far, those under way included. */
  readonly bytes: number;
  /**
   * Uploads a part from a spool and closes that. Resolves when there is room for the next one: two are under way at most.
   *
   * @param onDone called when the part and all before it are safe
   */
  add(part: Spool, onDone?: () => Promise<void>): Promise<void>;
  /** Resolves when all parts are safe; rejects if one could not be uploaded. */
  settle(): Promise<void>;
  /** As of the parts that are safe without a gap; `undefined` if it has not begun. */
  state(): MultipartState | undefined;
  /** Makes the object of its parts. */
  complete(): Promise<void>;
  abort(): Promise<void>;
}

const UNDER_WAY = 2;

export function multipartUpload(
  client: S3Client,
  key: string,
  partSize: number,
  from?: MultipartState,
): MultipartUpload {
  let uploadId = from?.uploadId;
  const tags: (string | undefined)[] = [...(from?.parts ?? [])];
  let bytes = tags.length * partSize;
  const running = new Set<Promise<void>>();
  let failure: unknown;

  async function begin(): Promise<string> {
    const { text } = await client.send({ method: "POST", key, query: { uploads: "" } });
    const id = textOf(text, "UploadId");
    if (id === undefined) throw new StoreError("unavailable", "S3 began a multipart upload without an id");
    return id;
  }

  async function idFor(part: Spool): Promise<string> {
    try {
      if (failure !== undefined) throw failure;
      return (uploadId ??= await begin());
    } catch (error) {
      await part.close();
      throw error;
    }
  }

  async function put(id: string, number: number, part: Spool): Promise<string> {
    try {
      const query = { partNumber: String(number), uploadId: id };
      const { headers } = await client.send({ method: "PUT", key, query, body: part.body() });
      if (headers.etag === undefined) throw new StoreError("unavailable", "S3 took a part without an entity tag");
      return headers.etag;
    } finally {
      await part.close();
    }
  }

  function safeParts(): string[] {
    const end = tags.indexOf(undefined);
    return (end === -1 ? tags : tags.slice(0, end)) as string[];
  }

  async function settle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
    if (failure !== undefined) throw failure;
  }

  return {
    get bytes() {
      return bytes;
    },
    async add(part, onDone) {
      const id = await idFor(part);
      tags.push(undefined);
      const number = tags.length;
      bytes += part.size;
      const task = put(id, number, part)
        .then(async (tag) => {
          tags[number - 1] = tag;
          await onDone?.();
        })
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(task));
      running.add(task);
      while (running.size >= UNDER_WAY) await Promise.race(running);
      if (failure !== undefined) throw failure;
    },
    settle,
    state() {
      return uploadId === undefined ? undefined : { uploadId, partSize, parts: safeParts() };
    },
    async complete() {
      await settle();
      const parts = safeParts().map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escape(tag)}</ETag></Part>`,
      );
      // Only these very parts: one that another server wrote over in the meantime has another tag, and is refused.
      const { status } = await client.send({
        method: "POST",
        key,
        query: { uploadId: uploadId ?? "" },
        headers: { "content-type": "application/xml" },
        body: `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`,
        accept: [404],
      });
      // Completed already, by an attempt whose answer was lost, or gone: the object itself tells.
      const { headers } = await client.send({ method: "HEAD", key, accept: [404] });
      if (Number(headers["content-length"]) !== bytes) {
        throw new StoreError("unavailable", `S3 assembled another object than the one uploaded (status ${status})`);
      }
    },
    async abort() {
      await settle().catch(() => undefined);
      if (uploadId !== undefined) {
        await client.send({ method: "DELETE", key, query: { uploadId }, accept: [404] });
      }
    },
  };
}
