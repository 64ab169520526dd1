import { listObjects, listUploads } from "@kindling/object-store/s3";
import { digestOf, type Digest } from "@kindling/staging-client";
import { weightedCache } from "../../memory/weighted-cache.ts";
import type { BlobStore, StoredBlob } from "../blob-store.ts";
import { s3Ingest, type S3IngestContext } from "./s3-ingest.ts";
import { POINTER_FIELD, POINTER_SIZE_FIELD } from "./s3-keys.ts";
import type { S3Objects } from "./s3-objects.ts";
import { s3Reader } from "./s3-reader.ts";

/** Where the bytes of a blob are. */
interface Location {
  readonly key: string;
  readonly size: number;
}

const EMPTY_BLOB = digestOf("");
// Objects that were not changed for this time were left by a process that is gone.
const STRAY_MS = 24 * 3_600_000;

/** Blobs in a bucket of S3 or of a server that speaks its protocol; see `s3-keys.ts` for the layout. */
export function s3Store(context: S3IngestContext): BlobStore {
  const { client, keys } = context;
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
    const { status, headers } = await client.send({ method: "HEAD", key, accept: [404] });
    if (status === 404) return undefined;
    const pointer = headers[POINTER_FIELD];
    if (typeof pointer !== "string") return { key, size: Number(headers["content-length"] ?? "0") };
    return { key: pointer, size: Number(headers[POINTER_SIZE_FIELD]) };
  }

  return {
    kind: "s3",
    // This always asks the store: a blob that another server deleted must not be promised to a client.
    async stat(digest) {
      locations.delete(digest);
      return (await locate(digest))?.size;
    },
    async open(digest, range) {
      const location = await locate(digest);
      if (location === undefined) return undefined;
      if (range.start === range.end) return s3Reader(client, location.key, range);
      const response = await client.open(location.key, range);
      if (response === undefined) {
        locations.delete(digest);
        return undefined;
      }
      return s3Reader(client, location.key, range, response);
    },
    async begin(options) {
      const ingest = await s3Ingest(context, options, {});
      if (ingest === undefined) throw new Error("a new ingest cannot be absent");
      return ingest;
    },
    resume: (options, state) => s3Ingest(context, options, state),
    makeDurable: () => Promise.resolve(),
    async *list(): AsyncGenerator<StoredBlob> {
      for await (const { key, size } of listObjects(client, keys.blobs)) {
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
      await client.delete(key);
      if (location.key !== key) await client.delete(location.key);
    },
    sweep: (liveIngests) => sweep(context, liveIngests),
    freeBytes: () => Promise.resolve(undefined),
    async presign(digest, { expiresIn }) {
      const location = await locate(digest);
      return location === undefined ? undefined : (await client.presign(location.key, expiresIn)).href;
    },
    async probe() {
      await client.send({ method: "GET", key: "", query: { "list-type": "2", "max-keys": "1", prefix: keys.meta } });
    },
    close: () => Promise.resolve(),
  };
}

async function sweep({ client, keys }: S3IngestContext, liveIngests: ReadonlySet<string>): Promise<void> {
  const isStray = (id: string, since: number): boolean =>
    !liveIngests.has(id) && client.serverTime() - since > STRAY_MS;
  for (const { key, uploadId, initiated } of await listUploads(client, keys.data)) {
    if (isStray(key.slice(keys.data.length), initiated)) {
      await client.send({ method: "DELETE", key, query: { uploadId }, accept: [404] });
    }
  }
  for await (const { key, modified } of listObjects(client, keys.ingest)) {
    const [id = ""] = key.slice(keys.ingest.length).split(".");
    if (isStray(id, modified)) await client.delete(key);
  }
  const strays: string[] = [];
  for await (const { key, modified } of listObjects(client, keys.data)) {
    if (isStray(key.slice(keys.data.length), modified)) strays.push(key);
  }
  if (strays.length === 0) return;
  const pointed = await allPointed(client, keys.blobs);
  for (const key of strays) if (!pointed.has(key)) await client.delete(key);
}

/** Every object that a blob points to. */
async function allPointed(client: S3Objects, prefix: string): Promise<ReadonlySet<string>> {
  const pointed = new Set<string>();
  for await (const { key, size } of listObjects(client, prefix)) {
    if (size > 0) continue;
    const { headers } = await client.send({ method: "HEAD", key, accept: [404] });
    const pointer = headers[POINTER_FIELD];
    if (typeof pointer === "string") pointed.add(pointer);
  }
  return pointed;
}
