import { digestOf, type Digest } from "@kindling/staging-client";
import { weightedCache } from "../../memory/weighted-cache.ts";
import type { BlobStore, StoredBlob } from "../blob-store.ts";
import { bucketIngest, type BucketIngestContext } from "./bucket-ingest.ts";
import { POINTER, POINTER_SIZE } from "./bucket-keys.ts";
import type { BucketObjects } from "./bucket-objects.ts";
import { bucketReader } from "./bucket-reader.ts";

/** Where the bytes of a blob are. */
interface Location {
  readonly key: string;
  readonly size: number;
}

const EMPTY_BLOB = digestOf("");
// Objects that were not changed for this time were left by a process that is gone.
const STRAY_MS = 24 * 3_600_000;

/**
 * Blobs in a bucket of an object store; see `bucket-keys.ts` for the layout.
 *
 * @param kind the kind of the store's driver
 */
export function bucketStore(kind: string, context: BucketIngestContext): BlobStore {
  const { bucket, keys } = context;
  const { presign } = bucket;
  // The location of a blob does not change while it exists.
  const locations = weightedCache<Location>(10_000);

  async function locate(digest: Digest): Promise<Location | undefined> {
    const known = locations.get(digest);
    if (known !== undefined) return known;
    const found = await lookUp(digest);
    if (found !== undefined) locations.set(digest, found, 1);
    return found;
  }

  async function lookUp(digest: Digest): Promise<Location | undefined> {
    const key = keys.blob(digest);
    const status = await bucket.stat(key);
    if (status === undefined) return undefined;
    const pointer = status.metadata[POINTER];
    if (pointer === undefined) return { key, size: status.size };
    return { key: pointer, size: Number(status.metadata[POINTER_SIZE]) };
  }

  return {
    kind,
    // This always asks the store: a blob that another server deleted must not be promised to a client.
    async stat(digest) {
      locations.delete(digest);
      return (await locate(digest))?.size;
    },
    async open(digest, range) {
      const location = await locate(digest);
      if (location === undefined) return undefined;
      if (range.start === range.end) return bucketReader(bucket, location.key, range);
      const response = await bucket.open(location.key, range);
      if (response === undefined) {
        locations.delete(digest);
        return undefined;
      }
      return bucketReader(bucket, location.key, range, response);
    },
    async begin(options) {
      const ingest = await bucketIngest(context, options, {});
      if (ingest === undefined) throw new Error("a new ingest cannot be absent");
      return ingest;
    },
    resume: (options, state) => bucketIngest(context, options, state),
    makeDurable: () => Promise.resolve(),
    async *list(): AsyncGenerator<StoredBlob> {
      for await (const { key, size } of bucket.list(keys.blobs)) {
        const digest = keys.digestOf(key);
        // An empty object points to another one.
        if (digest !== undefined) yield { digest, size: size > 0 || digest === EMPTY_BLOB ? size : undefined };
      }
    },
    async delete(digest) {
      const location = await lookUp(digest);
      locations.delete(digest);
      if (location === undefined) return;
      const key = keys.blob(digest);
      await bucket.delete(key);
      if (location.key !== key) await bucket.delete(location.key);
    },
    sweep: (liveIngests) => sweep(context, liveIngests),
    freeBytes: () => Promise.resolve(undefined),
    ...(presign && {
      presign: async (digest: Digest, { expiresIn }: { readonly expiresIn: number }) => {
        const location = await locate(digest);
        return location && (await presign(location.key, expiresIn)).href;
      },
    }),
    probe: () => bucket.probe(keys.meta),
    close: () => Promise.resolve(),
  };
}

async function sweep({ bucket, keys }: BucketIngestContext, liveIngests: ReadonlySet<string>): Promise<void> {
  const isStray = (key: string, since: number): boolean =>
    !liveIngests.has(keys.ingestOf(key)) && bucket.serverTime() - since > STRAY_MS;
  await bucket.dropUploads?.(keys.data, isStray);
  for await (const { key, modified } of bucket.list(keys.ingest)) {
    if (isStray(key, modified)) await bucket.delete(key);
  }
  const strays: string[] = [];
  for await (const { key, modified } of bucket.list(keys.data)) {
    if (isStray(key, modified)) strays.push(key);
  }
  if (strays.length === 0) return;
  const pointed = await allPointed(bucket, keys.blobs);
  for (const key of strays) if (!pointed.has(key)) await bucket.delete(key);
}

/** Every object that a blob points to. */
async function allPointed(bucket: BucketObjects, prefix: string): Promise<ReadonlySet<string>> {
  const pointed = new Set<string>();
  for await (const { key, size } of bucket.list(prefix)) {
    if (size > 0) continue;
    const pointer = (await bucket.stat(key))?.metadata[POINTER];
    if (pointer !== undefined) pointed.add(pointer);
  }
  return pointed;
}
