import { chmod, open, readdir, stat, statfs, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { parseDigest, type Digest } from "@kindling/staging-client";
import type { BlobReader, BlobStore, ByteRange, Ingest, IngestOptions, StoredBlob } from "../blob-store.ts";
import { fileSystemError } from "../store-error.ts";
import { semaphore } from "../../semaphore.ts";
import { hashReader } from "../hash-reader.ts";
import { bufferPool, type BufferPool } from "./buffer-pool.ts";
import { chunkReleaser } from "./chunk-releaser.ts";
import { fileReader } from "./file-reader.ts";
import { moveInto, syncDirectory } from "./durable-folders.ts";
import type { Layout } from "./layout.ts";
import { localIngest } from "./local-ingest.ts";
import type { StepHook } from "./steps.ts";

export interface LocalDiskOptions {
  readonly layout: Layout;
  /** How much all large read buffers together may take, in bytes; default 8 MiB. */
  readonly readBufferBytes?: number;
  readonly onStep?: StepHook;
}

// The permission bits of a blob tell whether it is on disk for good: they are set after the flush, and are part of the
// same inode, so that they cannot be there without the bytes.
const DURABLE = 0o440;

const SWEEP_AFTER_MS = 3_600_000;
const MAX_UNFLUSHED = 256;

/**
 * Blobs as files of one folder, which this process has for itself.
 *
 * A blob is acknowledged when its verified bytes have their name: a killed process loses nothing. Flushing to disk goes
 * on behind that, and `makeDurable` waits for it: a bundle is not acknowledged before all of its blobs would survive a
 * loss of power. After such a loss, a blob whose flush was not finished is verified before it is first used.
 */
export function localDiskStore(options: LocalDiskOptions): BlobStore {
  const { layout } = options;
  const onStep: StepHook = options.onStep ?? (() => undefined);
  const pool: BufferPool = bufferPool(options.readBufferBytes ?? 8 * 1024 * 1024);
  const release = chunkReleaser();
  const flushing = new Map<Digest, Promise<void>>();
  const publishing = new Map<Digest, Promise<unknown>>();
  const verifying = new Map<Digest, Promise<boolean>>();
  const trusted = new Set<Digest>();
  const openIngests = new Set<string>();
  const flushSlots = semaphore(2);

  /** The size of a blob that may be used; verifies it first where a crash has left that open. */
  async function usableSize(digest: Digest): Promise<number | undefined> {
    try {
      const { size, mode } = await stat(layout.blob(digest));
      if ((mode & 0o777) === DURABLE || flushing.has(digest) || trusted.has(digest)) return size;
      return (await verify(digest)) ? size : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw fileSystemError(error);
    }
  }

  async function verify(digest: Digest): Promise<boolean> {
    const running = verifying.get(digest) ?? verifyOnce(digest).finally(() => verifying.delete(digest));
    verifying.set(digest, running);
    return await running;
  }

  async function verifyOnce(digest: Digest): Promise<boolean> {
    const path = layout.blob(digest);
    const file = await open(path, "r+");
    try {
      const { size } = await file.stat();
      const actual = await hashReader(fileReader(await open(path, "r"), { start: 0, end: size }, pool));
      if (actual.digest === digest) {
        await flush(file, digest);
        return true;
      }
      await unlink(path);
      return false;
    } finally {
      await file.close();
    }
  }

  async function flush(file: FileHandle, digest: Digest): Promise<void> {
    onStep("blob-sync");
    await file.datasync();
    onStep("blob-seal");
    await file.chmod(DURABLE);
    await syncDirectory(layout.blobFolder(digest));
    // Some file systems have no permission bits; there, what this process knows has to do.
    if (((await file.stat()).mode & 0o777) !== DURABLE) trusted.add(digest);
  }

  async function flushAndClose(file: FileHandle, digest: Digest): Promise<void> {
    try {
      await flush(file, digest);
    } finally {
      flushing.delete(digest);
      await file.close();
    }
  }

  async function publish(path: string, file: FileHandle, digest: Digest): Promise<"created" | "existed"> {
    const earlier = publishing.get(digest) ?? Promise.resolve();
    const mine = earlier.catch(() => undefined).then(() => publishAlone(path, file, digest));
    publishing.set(digest, mine);
    try {
      return await mine;
    } finally {
      if (publishing.get(digest) === mine) publishing.delete(digest);
    }
  }

  async function publishAlone(path: string, file: FileHandle, digest: Digest): Promise<"created" | "existed"> {
    if ((await usableSize(digest)) !== undefined) {
      await file.close();
      await unlink(path);
      return "existed";
    }
    // Every blob that waits for its flush keeps a file open.
    if (flushing.size >= MAX_UNFLUSHED) await Promise.race(flushing.values()).catch(() => undefined);
    try {
      onStep("publish-rename");
      await moveInto(layout.blobFolder(digest), path, layout.blob(digest));
    } catch (error) {
      await file.close();
      throw fileSystemError(error);
    }
    onStep("publish-done");
    const flushed = flushSlots.run(() => flushAndClose(file, digest));
    // Nobody need wait for it now; `makeDurable` looks at what came of it.
    flushed.catch(() => undefined);
    flushing.set(digest, flushed);
    return "created";
  }

  async function openIngest(id: string, resumed: boolean): Promise<Ingest | undefined> {
    openIngests.add(id);
    const done = (): boolean => openIngests.delete(id);
    const ingest = await localIngest({ path: layout.ingestFile(id), pool, release, onStep, publish, done }, resumed);
    if (ingest === undefined) done();
    return ingest;
  }

  return {
    kind: "local-disk",
    stat: usableSize,
    async open(digest: Digest, range: ByteRange): Promise<BlobReader | undefined> {
      if ((await usableSize(digest)) === undefined) return undefined;
      try {
        return fileReader(await open(layout.blob(digest), "r"), range, pool);
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
      await Promise.all(digests.map((digest) => makeOneDurable(digest)));
    },
    async *list(): AsyncGenerator<StoredBlob> {
      for (const folder of await readdir(layout.blobs)) {
        for (const name of await readdir(join(layout.blobs, folder))) {
          const digest = parseDigest(`sha256:${folder}${name}`);
          const stats = digest && (await stat(layout.blob(digest)).catch(() => undefined));
          if (digest !== undefined && stats !== undefined) yield { digest, size: stats.size };
        }
      }
    },
    async delete(digest) {
      try {
        onStep("blob-delete");
        await unlink(layout.blob(digest));
        trusted.delete(digest);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw fileSystemError(error);
      }
    },
    async sweep(liveIngests) {
      for (const id of await readdir(layout.ingest)) {
        if (liveIngests.has(id) || openIngests.has(id)) continue;
        const path = layout.ingestFile(id);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
        // One that was begun a moment ago may not have been spoken for yet.
        if (Date.now() - mtimeMs > SWEEP_AFTER_MS) await unlink(path).catch(() => undefined);
      }
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(layout.root);
      return bavail * bsize;
    },
    async probe() {
      await probeFolder(layout.ingestFile("probe"));
    },
    async close() {
      await Promise.allSettled(flushing.values());
    },
  };

  async function makeOneDurable(digest: Digest): Promise<void> {
    const running = flushing.get(digest);
    if (running !== undefined) {
      try {
        await running;
        return;
      } catch (error) {
        throw fileSystemError(error);
      }
    }
    const { mode } = await stat(layout.blob(digest));
    // A flush that failed left the bytes in doubt: the kernel may have dropped them.
    if ((mode & 0o777) === DURABLE || trusted.has(digest)) return;
    if (!(await verify(digest))) throw new Error(`blob ${digest} could not be flushed`);
  }
}

async function probeFolder(path: string): Promise<void> {
  try {
    const file = await open(path, "w", 0o600);
    try {
      await file.write("probe");
    } finally {
      await file.close();
    }
    await chmod(path, 0o600);
    await unlink(path);
  } catch (error) {
    throw fileSystemError(error);
  }
}
