import type { Digest } from "@kindling/staging-client";
import type { BlobReader, Ingest, IngestOptions, IngestState, SealedIngest } from "../blob-store.ts";
import { multipartUpload, type MultipartState, type MultipartUpload } from "./multipart-upload.ts";
import type { S3Client, S3Request } from "./s3-client.ts";
import { POINTER_FIELD, POINTER_SIZE_FIELD, type S3Keys } from "./s3-keys.ts";
import { s3Reader } from "./s3-reader.ts";
import { openSpool, type Spool } from "./spool.ts";

export interface S3IngestContext {
  readonly client: S3Client;
  readonly keys: S3Keys;
  readonly partSize: number;
  readonly spoolFolder: string;
}

interface S3IngestState {
  readonly upload?: MultipartState;
  /** Bytes in the object `ingest/<id>`. */
  readonly tail: number;
}

// S3's own limit for the parts of one object.
const MAX_PARTS = 10_000;
const MEBIBYTE = 1024 * 1024;

/**
 * Bytes on their way to S3: collected to parts in a spool file, uploaded part by part while more arrive. What fits into
 * one part goes to its final place in one request at the end; S3 checks it against the digest itself.
 */
export async function s3Ingest(context: S3IngestContext, options: IngestOptions, from?: IngestState): Promise<Ingest> {
  const { client, keys, spoolFolder } = context;
  const { id, size, onState } = options;
  const state = (from ?? { tail: 0 }) as unknown as S3IngestState;
  // All parts but the last have the same size, as some S3 servers demand, and there can be so many of them.
  const needed = Math.ceil((size ?? 0) / (MAX_PARTS - 1) / MEBIBYTE) * MEBIBYTE;
  const partSize = state.upload?.partSize ?? Math.max(context.partSize, needed);
  const upload = multipartUpload(client, keys.dataOf(id), partSize, state.upload);
  let spool = await openSpool(spoolFolder);
  if (state.tail > 0) await fetchTail(context, id, state.tail, spool);

  async function finishPart(): Promise<void> {
    const full = spool;
    spool = await openSpool(spoolFolder);
    await upload.add(full, async () => {
      const reached = upload.state();
      if (reached !== undefined) await onState?.({ upload: reached, tail: 0 }, reached.parts.length * partSize);
    });
  }

  return {
    get offset() {
      return upload.bytes + spool.size;
    },
    async write(chunks) {
      let pending: Buffer[] = [];
      let room = partSize - spool.size;
      for (let chunk of chunks) {
        while (chunk.length >= room) {
          await spool.write([...pending, chunk.subarray(0, room)]);
          pending = [];
          chunk = chunk.subarray(room);
          await finishPart();
          room = partSize;
        }
        pending.push(chunk);
        room -= chunk.length;
      }
      await spool.write(pending);
    },
    async suspend(): Promise<IngestState> {
      await upload.settle();
      const tail = spool.size;
      if (tail > 0) await client.send({ method: "PUT", key: keys.tailOf(id), body: spool.body() });
      await spool.close();
      const reached = upload.state();
      return { tail, ...(reached !== undefined && { upload: reached }) };
    },
    async seal() {
      if (upload.bytes === 0) return smallIngest(context, id, spool);
      if (spool.size > 0) await upload.add(spool);
      else await spool.close();
      await upload.complete();
      return largeIngest(context, id, upload.bytes);
    },
    async abort() {
      await spool.close().catch(() => undefined);
      await dropIngest(context, id, upload);
    },
  };
}

async function fetchTail({ client, keys }: S3IngestContext, id: string, size: number, spool: Spool): Promise<void> {
  const reader = s3Reader(client, keys.tailOf(id), { start: 0, end: size });
  try {
    for await (const chunk of reader) await spool.write([chunk]);
  } finally {
    await reader.close();
  }
}

async function dropIngest({ client, keys }: S3IngestContext, id: string, upload: MultipartUpload): Promise<void> {
  // What cannot be dropped now is found by `sweep`.
  await upload.abort().catch(() => undefined);
  for (const key of [keys.tailOf(id), keys.dataOf(id)]) {
    await client.send({ method: "DELETE", key, accept: [404] }).catch(() => undefined);
  }
}

function smallIngest(context: S3IngestContext, id: string, spool: Spool): SealedIngest {
  const { client, keys } = context;
  const { size } = spool;
  const close = async (): Promise<void> => {
    await spool.close();
    await client.send({ method: "DELETE", key: keys.tailOf(id), accept: [404] }).catch(() => undefined);
  };
  return {
    size,
    read: () => Promise.resolve(spoolReader(spool)),
    async publish(digest) {
      try {
        return await createOnce(context, digest, { body: size === 0 ? "" : spool.body() });
      } finally {
        await close();
      }
    },
    discard: () => close().catch(() => undefined),
  };
}

function largeIngest(context: S3IngestContext, id: string, size: number): SealedIngest {
  const { client, keys } = context;
  const data = keys.dataOf(id);
  const drop = async (): Promise<void> => {
    for (const key of [data, keys.tailOf(id)]) await client.send({ method: "DELETE", key, accept: [404] });
  };
  return {
    size,
    async read() {
      return s3Reader(client, data, { start: 0, end: size });
    },
    async publish(digest) {
      const headers = { [POINTER_FIELD]: data, [POINTER_SIZE_FIELD]: String(size) };
      const outcome = await createOnce(context, digest, { headers });
      // Somebody was quicker, and their object is the one that the blob points to.
      if (outcome === "existed") await drop().catch(() => undefined);
      return outcome;
    },
    discard: () => drop().catch(() => undefined),
  };
}

/** Makes an object that must not be there yet: "412 Precondition Failed" means that somebody was first. */
async function createOnce(
  { client, keys }: S3IngestContext,
  digest: Digest,
  object: { readonly body?: S3Request["body"]; readonly headers?: Readonly<Record<string, string>> },
): Promise<"created" | "existed"> {
  const key = keys.blob(digest);
  const { status, attempts } = await client.send({
    method: "PUT",
    key,
    headers: { ...object.headers, "if-none-match": "*" },
    body: object.body ?? "",
    accept: [412],
  });
  if (status !== 412) return "created";
  if (attempts === 1) return "existed";
  // An attempt whose answer was lost may have been ours.
  const { headers } = await client.send({ method: "HEAD", key });
  const pointer = object.headers?.[POINTER_FIELD];
  return pointer !== undefined && headers[POINTER_FIELD] === pointer ? "created" : "existed";
}

function spoolReader(spool: Spool): BlobReader {
  const stream = spool.body().open();
  return {
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>,
    close() {
      stream.destroy();
      return Promise.resolve();
    },
  };
}
