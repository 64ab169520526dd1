import type { Digest } from "@kindling/staging-client";
import type { BlobStore, StoredBlob } from "../blob-store.ts";
import { hdfsIngest, type HdfsIngestContext } from "./hdfs-ingest.ts";
import { hdfsReader } from "./hdfs-reader.ts";

// Files that were not changed for this time were left by a process that is gone.
const STRAY_MS = 24 * 3_600_000;

/** Blobs as files of HDFS; see `hdfs-paths.ts` for the layout. */
export function hdfsStore(context: HdfsIngestContext): BlobStore {
  const { client, paths } = context;
  return {
    kind: "webhdfs",
    stat: async (digest: Digest) => (await client.status(paths.blob(digest)))?.length,
    async open(digest, range) {
      const path = paths.blob(digest);
      // WebHDFS cannot read an empty range.
      if (range.start === range.end) {
        return (await client.status(path)) === undefined ? undefined : hdfsReader(client, path, range);
      }
      const response = await client.open(path, range);
      return response && hdfsReader(client, path, range, response);
    },
    async begin(options) {
      const ingest = await hdfsIngest(context, options, {});
      if (ingest === undefined) throw new Error("a new ingest cannot be absent");
      return ingest;
    },
    resume: (options, state) => hdfsIngest(context, options, state),
    // A closed file is on the data nodes, and HDFS makes nothing safer than that.
    makeDurable: () => Promise.resolve(),
    async *list(): AsyncGenerator<StoredBlob> {
      for (const folder of (await client.list(paths.blobs)) ?? []) {
        for (const { name, length } of (await client.list(`${paths.blobs}/${folder.name}`)) ?? []) {
          const digest = paths.digestOf(folder.name, name);
          if (digest !== undefined) yield { digest, size: length };
        }
      }
    },
    async delete(digest) {
      await client.delete(paths.blob(digest));
    },
    async sweep(liveIngests) {
      const isOld = (modified: number): boolean => client.serverTime() - modified > STRAY_MS;
      for (const { name, modified } of (await client.list(paths.ingest)) ?? []) {
        if (!liveIngests.has(name) && isOld(modified))
          await client.delete(`${paths.ingest}/${name}`, { recursive: true });
      }
      for (const { name, modified } of (await client.list(paths.fresh)) ?? []) {
        if (isOld(modified)) await client.delete(`${paths.fresh}/${name}`);
      }
    },
    freeBytes: () => Promise.resolve(undefined),
    async probe() {
      await client.status(paths.root);
    },
    close: () => Promise.resolve(),
  };
}
