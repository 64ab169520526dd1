import { MOST_PARTS, type MultipartState, type S3Request } from "@kindling/object-store/s3";
import type { Digest } from "@kindling/staging-client";
import type { BlobReader, Ingest, IngestOptions, IngestState, SealedIngest } from "../blob-store.ts";
import type { S3Objects } from "./s3-objects.ts";
import { POINTER_FIELD, POINTER_SIZE_FIELD, type S3Keys } from "./s3-keys.ts";
import { s3Reader } from "./s3-reader.ts";
import type { Spool } from "./spool.ts";

export interface S3IngestContext {
  readonly client: S3Objects;
  readonly keys: S3Keys;
  readonly partSize: number;
  /** Opens an empty file for a part. */
  readonly openSpool: () => Promise<Spool>;
}

interface S3IngestState {
  readonly upload?: MultipartState;
  /** The object with the bytes that were too few for a part. */
  readonly tail?: Tail;
  /** The previous tail, which is not needed any more once this state is recorded. */
  readonly previousTail?: string;
}

interface Tail {
  readonly key: string;
  readonly size: number;
}

// Two parts are under way, while one more is being filled.
const PARTS_AT_ONCE = 2;
const MEBIBYTE = 1024 * 1024;

/**
 * Bytes on their way to S3. They are collected into parts in a spool file, and uploaded part by part while more arrive. A
 * blob that fits into one part goes to its final place in one request at the end; S3 itself checks it against the digest.
 */
export async function s3Ingest(
  context: S3IngestContext,
  options: IngestOptions,
  from: IngestState,
): Promise<Ingest | undefined> {
  const { client, keys, openSpool } = context;
  const { id, size, onState } = options;
  const state = from as S3IngestState;
  // All parts but the last have the same size, as some S3 servers demand, and the number of parts is limited.
  const needed = Math.ceil((size ?? 0) / (MOST_PARTS - 1) / MEBIBYTE) * MEBIBYTE;
  const partSize = state.upload?.partSize ?? Math.max(context.partSize, needed);
  const upload = client.multipart({ key: keys.dataOf(id), partSize, atOnce: PARTS_AT_ONCE, from: state.upload });
  let spool = await openSpool();
  if (state.tail !== undefined && !(await fetchTail(client, state.tail, spool))) return undefined;
  if (state.previousTail !== undefined) await dropObject(client, state.previousTail);

  async function finishPart(): Promise<void> {
    const full = spool;
    spool = await openSpool();
    await upload.add(full, async () => {
      const reached = upload.state();
      if (reached !== undefined) await onState?.({ upload: reached }, reached.parts.length * partSize);
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
      const tail = spool.size === 0 ? undefined : { key: keys.newTail(id), size: spool.size };
      if (tail !== undefined) await client.send({ method: "PUT", key: tail.key, body: spool.body() });
      await spool.close();
      const reached = upload.state();
      return {
        ...(tail !== undefined && { tail }),
        ...(reached !== undefined && { upload: reached }),
        ...(state.tail !== undefined && { previousTail: state.tail.key }),
      };
    },
    async abandon() {
      await upload.settle().catch(() => undefined);
      await spool.close();
    },
    async seal() {
      if (upload.bytes === 0) return smallIngest(context, spool, dropTail);
      if (spool.size > 0) await upload.add(spool);
      else await spool.close();
      await upload.complete();
      return largeIngest(context, id, upload.bytes, dropTail);
    },
    async abort() {
      await spool.close().catch(() => undefined);
      await upload.abort().catch(() => undefined);
      await dropObject(client, keys.dataOf(id));
      await dropTail();
    },
  };

  async function dropTail(): Promise<void> {
    if (state.tail !== undefined) await dropObject(client, state.tail.key);
  }
}

/** If an object cannot be dropped now, `sweep` finds it later. */
async function dropObject(client: S3Objects, key: string): Promise<void> {
  await client.delete(key).catch(() => undefined);
}

/** @returns `false` if the tail is gone; the spool is closed then, and also if the tail cannot be read */
async function fetchTail(client: S3Objects, tail: Tail, spool: Spool): Promise<boolean> {
  let complete = false;
  try {
    const range = { start: 0, end: tail.size };
    const response = await client.open(tail.key, range);
    if (response === undefined) return false;
    for await (const chunk of s3Reader(client, tail.key, range, response)) await spool.write([chunk]);
    complete = true;
    return true;
  } finally {
    if (!complete) await spool.close();
  }
}

function smallIngest(context: S3IngestContext, spool: Spool, dropTail: () => Promise<void>): SealedIngest {
  const { size } = spool;
  const close = async (): Promise<void> => {
    await spool.close().catch(() => undefined);
    await dropTail();
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
    discard: close,
  };
}

function largeIngest(context: S3IngestContext, id: string, size: number, dropTail: () => Promise<void>): SealedIngest {
  const { client, keys } = context;
  const data = keys.dataOf(id);
  return {
    size,
    read: () => Promise.resolve(s3Reader(client, data, { start: 0, end: size })),
    async publish(digest) {
      const headers = { [POINTER_FIELD]: data, [POINTER_SIZE_FIELD]: String(size) };
      const outcome = await createOnce(context, digest, { headers });
      // Another server was quicker, and the blob points to its object.
      if (outcome === "existed") await dropObject(client, data);
      await dropTail();
      return outcome;
    },
    async discard() {
      await dropObject(client, data);
      await dropTail();
    },
  };
}

/** Makes an object that must not exist yet: "412 Precondition Failed" means that another server was first. */
async function createOnce(
  { client, keys }: S3IngestContext,
  digest: Digest,
  object: { readonly body?: S3Request["body"]; readonly headers?: Readonly<Record<string, string>> },
): Promise<"created" | "existed"> {
  const key = keys.blob(digest);
  const { status } = await client.send({
    method: "PUT",
    key,
    headers: { ...object.headers, "if-none-match": "*" },
    body: object.body ?? "",
    accept: [412],
  });
  if (status !== 412) return "created";
  const pointer = object.headers?.[POINTER_FIELD];
  if (pointer === undefined) return "existed";
  // It may have been this server itself: an attempt whose answer was lost, or an earlier turn that failed afterwards. An
  // object that a blob points to must not be dropped.
  const { headers } = await client.send({ method: "HEAD", key });
  return headers[POINTER_FIELD] === pointer ? "created" : "existed";
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
