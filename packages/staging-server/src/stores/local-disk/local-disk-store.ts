import { lstat, open, readdir, stat, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, type Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { fileSystemError, StoreError } from "../../errors/store-error.ts";
import { chunkReleaser } from "../../memory/chunk-releaser.ts";
import type { BlobReader, BlobStore, ByteRange, Ingest, IngestOptions, StoredBlob } from "../blob-store.ts";
import { blobFiles } from "./blob-files.ts";
import { bufferPool, type BufferPool } from "./buffer-pool.ts";
import { fileReader } from "./file-reader.ts";
import { blobDigest, type Layout } from "./layout.ts";
import { localIngest } from "./local-ingest.ts";
import { probeDisk } from "./probe-disk.ts";
import type { SpaceReserve } from "./space-reserve.ts";
import type { StepHook } from "./steps.ts";

export interface LocalDiskOptions {
  readonly layout: Layout;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** How much all large read buffers together may take, in bytes; default 8 MiB. */
  readonly readBufferBytes?: number;
  /** How many published blobs may wait for their flush, each with an open file; default 256. */
  readonly mostUnflushed?: number;
  /** It is filled again when there is room. */
  readonly reserve?: SpaceReserve;
  /** Rejects if another process has taken the folder over. */
  readonly confirm?: () => Promise<void>;
  readonly onStep?: StepHook;
}

const SWEEP_AFTER_MS = 3_600_000;

/**
 * Blobs as files of one folder that only this process uses.
 *
 * A blob is acknowledged when its verified bytes have their name: if the process is killed, nothing is lost. The flush to
 * disk goes on afterwards, and `makeDurable` waits for it: a bundle is acknowledged only when all of its blobs would
 * survive a loss of power. After such a loss, a blob whose flush was not finished is verified before it is first used.
 */
export function localDiskStore(options: LocalDiskOptions): BlobStore {
  const { layout, clock = systemClock, onStep = () => undefined, confirm = () => Promise.resolve() } = options;
  const pool: BufferPool = bufferPool(options.readBufferBytes ?? 8 * 1024 * 1024);
  const release = chunkReleaser();
  const openIngests = new Set<string>();
  const files = blobFiles({ layout, clock, onStep, confirm, mostUnflushed: options.mostUnflushed ?? 256 });

  async function openIngest(id: string, resumed: boolean): Promise<Ingest | undefined> {
    openIngests.add(id);
    const done = (): boolean => openIngests.delete(id);
    const context = { path: layout.ingestFile(id), pool, clock, release, onStep, publish: files.publish, done };
    const ingest = await localIngest(context, resumed);
    if (ingest === undefined) done();
    return ingest;
  }

  return {
    kind: "local-disk",
    stat: files.usableSize,
    async open(digest: Digest, range: ByteRange): Promise<BlobReader | undefined> {
      const size = await files.usableSize(digest);
      if (size === undefined) return undefined;
      if (size < range.end) throw new StoreError("damaged", `the file in the store has ${size} bytes only`);
      try {
        return fileReader(await open(layout.blob(digest), "r"), range, pool, clock);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw fileSystemError(error);
      }
    },
    async begin({ id }: IngestOptions): Promise<Ingest> {
      const ingest = await openIngest(id, false);
      if (ingest === undefined) throw new Error("a new ingest cannot be absent");
      return ingest;
    },
    resume: ({ id }) => openIngest(id, true),
    async makeDurable(digests) {
      await Promise.all(digests.map((digest) => files.makeDurable(digest)));
    },
    list: (after) => listBlobs(layout, after),
    delete: (digest) => files.remove(digest),
    verify: (digest, pace) => files.verify(digest, pace),
    async sweep(liveIngests) {
      await options.reserve?.refill();
      for (const id of await readdir(layout.ingest).catch(asStoreError)) {
        if (liveIngests.has(id) || openIngests.has(id)) continue;
        const path = layout.ingestFile(id);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
        // An ingest that began a moment ago may not be among the live ones yet.
        if (clock.now() - mtimeMs > SWEEP_AFTER_MS) await unlink(path).catch(() => undefined);
      }
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(layout.root).catch(asStoreError);
      return bavail * bsize;
    },
    probe: () => probeDisk(layout),
    close: () => files.settled(),
  };
}

function asStoreError(error: unknown): never {
  throw fileSystemError(error);
}

/** In the order of digests. Files that are no blobs are skipped. */
async function* listBlobs(layout: Layout, after: Digest | undefined): AsyncGenerator<StoredBlob> {
  const folders = (await readdir(layout.blobs).catch(asStoreError)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const folder of folders.sort()) {
    for (const name of (await namesIn(layout, folder)).sort()) {
      const digest = blobDigest(folder, name);
      if (digest === undefined || (after !== undefined && digest <= after)) continue;
      const stats = await lstat(layout.blob(digest)).catch(() => undefined);
      if (stats?.isFile() === true) yield { digest, size: stats.size };
    }
  }
}

/** If the disk has lost one folder, the others are still listed. */
async function namesIn(layout: Layout, folder: string): Promise<string[]> {
  try {
    return await readdir(join(layout.blobs, folder));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "ENOTDIR" && code !== "ENOENT" && code !== "ELOOP") {
      layout.damaged.report({ what: "file", name: `blobs/${folder}`, reason: `the folder cannot be read: ${code}` });
    }
    return [];
  }
}
