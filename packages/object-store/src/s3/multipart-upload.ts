import { ObjectStoreError } from "../object-store-error.ts";
import {
  partsUpload,
  type MultipartUpload as AnyUpload,
  type PartsTarget,
  type UploadPart as AnyPart,
  type UploadState,
} from "../parts-upload.ts";
import { escape, textOf } from "../xml.ts";
import type { S3Client } from "./s3-client.ts";
import type { S3Body } from "./s3-request.ts";

export { MOST_PARTS } from "../parts-upload.ts";

/** The data to continue a multipart upload: its parts are entity tags. Plain JSON. */
export type MultipartState = UploadState;
export type UploadPart = AnyPart<S3Body>;
export type MultipartUpload = AnyUpload<S3Body>;

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

/** Uploads an object in parts ("Uploading and copying objects using multipart upload"). Rejects with an ObjectStoreError. */
export function multipartUpload(options: MultipartOptions): MultipartUpload {
  return partsUpload(partsTarget(options), options);
}

/** What S3 does for an upload in parts. */
export function partsTarget(options: MultipartOptions): PartsTarget<S3Body> {
  const { client, key, signal } = options;
  return {
    async begin() {
      const { text } = await client.send({ method: "POST", key, query: { uploads: "" } });
      const uploadId = textOf(text, "UploadId");
      if (uploadId !== undefined) return uploadId;
      throw new ObjectStoreError("protocol", "the store began an upload in parts without an id");
    },
    async put(uploadId, number, body) {
      const query = { partNumber: String(number), uploadId };
      const { headers } = await client.send({ method: "PUT", key, query, body, signal });
      if (headers.etag !== undefined) return headers.etag;
      throw new ObjectStoreError("protocol", "the store took a part without an entity tag");
    },
    assemble: (uploadId, parts, bytes) => assemble(options, { uploadId, parts, bytes }),
    async drop(uploadId) {
      await client.send({ method: "DELETE", key, query: { uploadId }, accept: [404] });
    },
  };
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
