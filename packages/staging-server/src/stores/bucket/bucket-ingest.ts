import { MOST_PARTS, type NewObject, type ObjectBucket, type UploadState } from "@kindling/object-store";
import type { Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { StoreError } from "../../errors/store-error.ts";
import type { BlobReader, Ingest, IngestOptions, IngestState, SealedIngest } from "../blob-store.ts";
import { POINTER, POINTER_SIZE, type BucketKeys } from "./bucket-keys.ts";
import type { BucketObjects } from "./bucket-objects.ts";
import { bucketReader } from "./bucket-reader.ts";
import type { Spool } from "./spool.ts";

export interface BucketIngestContext {
  readonly bucket: BucketObjects;
  readonly keys: BucketKeys;
  readonly clock: Clock;
  readonly partSize: number;
  /** The shortest time between two records of one ingest's state: a store may limit the writes to one object. */
  readonly recordPauseMs: number;
  /** Opens an empty file for a part. */
  readonly openSpool: () => Promise<Spool>;
}

interface BucketIngestState {
  readonly upload?: UploadState;
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
const NO_BYTES = Buffer.alloc(0);

/**
 * Bytes on their way to an object store. They are collected into parts in a spool file, and uploaded part by part while more
 * arrive. A blob that fits into one part goes to its final place in one request at the end; the store checks the bytes that
 * it gets against their checksum.
 */
export async function bucketIngest(
  context: BucketIngestContext,
  options: IngestOptions,
  from: IngestState,
): Promise<Ingest | undefined> {
  const { bucket, keys, openSpool } = context;
  const { id } = options;
  const state = from as BucketIngestState;
  const { upload, partSize } = uploadOf(context, options, state);
  const record = recordRarely(context, options);
  let spool = await openSpool();
  if (state.tail !== undefined && !(await fetchTail(bucket, state.tail, spool))) return undefined;
  if (state.previousTail !== undefined) await dropObject(bucket, state.previousTail);

  async function finishPart(): Promise<void> {
    const full = spool;
    spool = await openSpool();
    await upload.add(full, async () => {
      const reached = upload.state();
      if (reached !== undefined) await record({ upload: reached }, reached.parts.length * partSize);
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
      if (tail !== undefined) await bucket.put(tail.key, { body: spool.body() });
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
      await dropObject(bucket, keys.dataOf(id));
      await dropTail();
    },
  };

  async function dropTail(): Promise<void> {
    if (state.tail !== undefined) await dropObject(bucket, state.tail.key);
  }
}

function uploadOf(
  { bucket, keys, partSize: usual }: BucketIngestContext,
  { id, size = 0 }: IngestOptions,
  { upload: from }: BucketIngestState,
): { readonly upload: ReturnType<ObjectBucket["multipart"]>; readonly partSize: number } {
  // All parts but the last have the same size, as some S3 servers demand, and the number of parts is limited.
  const needed = Math.ceil(size / (MOST_PARTS - 1) / MEBIBYTE) * MEBIBYTE;
  const partSize = from?.partSize ?? Math.max(usual, needed);
  const options = { key: keys.dataOf(id), partSize, atOnce: PARTS_AT_ONCE, from, mayRead: true };
  return { upload: bucket.multipart(options), partSize };
}

/** Records how far an ingest is, unless that was done just now. */
function recordRarely(
  { clock, recordPauseMs }: BucketIngestContext,
  { onState }: IngestOptions,
): NonNullable<IngestOptions["onState"]> {
  let recorded = -Infinity;
  return async (state, offset) => {
    const now = clock.monotonic();
    if (now - recorded < recordPauseMs) return;
    recorded = now;
    await onState?.(state, offset);
  };
}

/** If an object cannot be dropped now, `sweep` finds it later. */
async function dropObject(bucket: BucketObjects, key: string): Promise<void> {
  await bucket.delete(key).catch(() => undefined);
}

/** @returns `false` if the tail is gone; the spool is closed then, and also if the tail cannot be read */
async function fetchTail(bucket: BucketObjects, tail: Tail, spool: Spool): Promise<boolean> {
  let complete = false;
  try {
    const range = { start: 0, end: tail.size };
    const response = await bucket.open(tail.key, range);
    if (response === undefined) return false;
    for await (const chunk of bucketReader(bucket, tail.key, range, response)) await spool.write([chunk]);
    complete = true;
    return true;
  } finally {
    if (!complete) await spool.close();
  }
}

function smallIngest(context: BucketIngestContext, spool: Spool, dropTail: () => Promise<void>): SealedIngest {
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
        return await createOnce(context, digest, { body: size === 0 ? NO_BYTES : spool.body() });
      } finally {
        await close();
      }
    },
    discard: close,
  };
}

function largeIngest(
  context: BucketIngestContext,
  id: string,
  size: number,
  dropTail: () => Promise<void>,
): SealedIngest {
  const { bucket, keys } = context;
  const data = keys.dataOf(id);
  return {
    size,
    read: () => Promise.resolve(bucketReader(bucket, data, { start: 0, end: size })),
    async publish(digest) {
      const metadata = { [POINTER]: data, [POINTER_SIZE]: String(size) };
      const outcome = await createOnce(context, digest, { body: NO_BYTES, metadata });
      // Another server was quicker, and the blob points to its object.
      if (outcome === "existed") await dropObject(bucket, data);
      await dropTail();
      return outcome;
    },
    async discard() {
      await dropObject(bucket, data);
      await dropTail();
    },
  };
}

/** Makes an object that must not exist yet, unless another server was first. */
async function createOnce(
  { bucket, keys }: BucketIngestContext,
  digest: Digest,
  object: NewObject,
): Promise<"created" | "existed"> {
  const key = keys.blob(digest);
  const { version } = await bucket.put(key, { ...object, expect: { version: undefined } });
  if (version !== undefined) return "created";
  const pointer = object.metadata?.[POINTER];
  if (pointer === undefined) return "existed";
  // It may have been this server itself: an attempt whose answer was lost, or an earlier turn that failed afterwards. An
  // object that a blob points to must not be dropped.
  const there = await bucket.stat(key);
  if (there === undefined) throw new StoreError("unavailable", `${key} was deleted while it was published`);
  return there.metadata[POINTER] === pointer ? "created" : "existed";
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
