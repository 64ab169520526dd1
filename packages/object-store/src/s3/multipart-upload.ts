import { ObjectStoreError } from "../object-store-error.ts";
import { escape, textOf } from "../xml.ts";
import type { S3Client } from "./s3-client.ts";
import type { S3Body } from "./s3-request.ts";

/** The data to continue a multipart upload. Plain JSON. */
export interface MultipartState {
  readonly uploadId: string;
  readonly partSize: number;
  /** Entity tags of the parts, in order. */
  readonly parts: readonly string[];
}

/** The bytes of a part. */
export interface UploadPart {
  body(): S3Body;
  /** Releases them: called once, whatever happens to the part. */
  close(): Promise<void>;
}

export interface MultipartOptions {
  readonly client: S3Client;
  readonly key: string;
  /** The size of all parts except the last one, in bytes: some servers demand equal sizes. */
  readonly partSize: number;
  /** How many parts may be on their way. */
  readonly atOnce: number;
  readonly from?: MultipartState | undefined;
  /** Whether these credentials may read: then the size of the whole object is checked at the end. */
  readonly mayRead: boolean;
  /** Ends parts that are on their way, but not the first and the last request of an upload, whose results must be known. */
  readonly signal?: AbortSignal | undefined;
}

export interface MultipartUpload {
  /** Bytes of all parts so far, including those under way. */
  readonly bytes: number;
  /**
   * Uploads a part and closes it. Resolves when there is room for the next one.
   *
   * @param onDone called when the part and all before it are safe
   */
  add(part: UploadPart, onDone?: () => Promise<void>): Promise<void>;
  /** Resolves when all parts are safe; rejects if one could not be uploaded. */
  settle(): Promise<void>;
  /** The state with the parts that are safe without a gap; `undefined` if it has not begun. */
  state(): MultipartState | undefined;
  /** Makes the object from its parts. */
  complete(): Promise<void>;
  abort(): Promise<void>;
}

/** S3's own limit for the parts of one object. */
export const MOST_PARTS = 10_000;

/** Uploads an object in parts ("Uploading and copying objects using multipart upload"). Rejects with an ObjectStoreError. */
export function multipartUpload(options: MultipartOptions): MultipartUpload {
  const { client, key, partSize, atOnce, from } = options;
  let uploadId = from?.uploadId;
  let beginning: Promise<string> | undefined;
  const tags: (string | undefined)[] = [...(from?.parts ?? [])];
  let bytes = tags.length * partSize;
  const running = new Set<Promise<void>>();
  let failure: unknown;

  async function begin(): Promise<string> {
    const { text } = await client.send({ method: "POST", key, query: { uploads: "" } });
    uploadId = textOf(text, "UploadId");
    if (uploadId === undefined)
      throw new ObjectStoreError("protocol", "the store began an upload in parts without an id");
    return uploadId;
  }

  async function idFor(part: UploadPart): Promise<string> {
    try {
      if (failure !== undefined) throw failure;
      return uploadId ?? (await (beginning ??= begin()));
    } catch (error) {
      await part.close();
      throw error;
    }
  }

  function safeParts(): readonly string[] {
    const safe: string[] = [];
    for (const tag of tags) {
      if (tag === undefined) break;
      safe.push(tag);
    }
    return safe;
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
      const body = part.body();
      tags.push(undefined);
      const number = tags.length;
      bytes += body.length;
      const task = put(options, { uploadId: id, number }, part, body)
        .then(async (tag) => {
          tags[number - 1] = tag;
          await onDone?.();
        })
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(task));
      running.add(task);
      while (running.size >= atOnce) await Promise.race(running);
      if (failure !== undefined) throw failure;
    },
    settle,
    state() {
      return uploadId === undefined ? undefined : { uploadId, partSize, parts: safeParts() };
    },
    async complete() {
      await settle();
      await assemble(options, { uploadId: uploadId ?? "", parts: safeParts(), bytes });
    },
    async abort() {
      await settle().catch(() => undefined);
      if (uploadId !== undefined) {
        await client.send({ method: "DELETE", key, query: { uploadId }, accept: [404] });
      }
    },
  };
}

async function put(
  { client, key, signal }: MultipartOptions,
  { uploadId, number }: { readonly uploadId: string; readonly number: number },
  part: UploadPart,
  body: S3Body,
): Promise<string> {
  try {
    const query = { partNumber: String(number), uploadId };
    const { headers } = await client.send({ method: "PUT", key, query, body, signal });
    if (headers.etag === undefined)
      throw new ObjectStoreError("protocol", "the store took a part without an entity tag");
    return headers.etag;
  } finally {
    await part.close();
  }
}

/** Lets the store make the object, and checks that it is the one that was uploaded. */
async function assemble(
  { client, key, mayRead }: MultipartOptions,
  whole: { readonly uploadId: string; readonly parts: readonly string[]; readonly bytes: number },
): Promise<void> {
  const parts = whole.parts.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escape(tag)}</ETag></Part>`,
  );
  // Only exactly these parts: a part that another server has overwritten in the meantime has another tag, and is refused.
  const { status } = await client.send({
    method: "POST",
    key,
    query: { uploadId: whole.uploadId },
    headers: { "content-type": "application/xml" },
    body: `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`,
    accept: [404],
  });
  if (status !== 404 && !mayRead) return;
  // The upload is completed already, by an attempt whose answer was lost, or it is gone: the object itself shows which.
  const { headers } = await client.send({ method: "HEAD", key, accept: [404] });
  if (Number(headers["content-length"]) === whole.bytes) return;
  const message = `the store assembled another object than the one that was uploaded (status ${status})`;
  throw new ObjectStoreError("server", message);
}
