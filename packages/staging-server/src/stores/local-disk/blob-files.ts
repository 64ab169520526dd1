import { lstat, open, rename, unlink, type FileHandle } from "node:fs/promises";
import type { Stats } from "node:fs";
import type { Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { fileSystemError, StoreError } from "../../errors/store-error.ts";
import { semaphore } from "../../sharing/semaphore.ts";
import type { BlobState } from "../blob-store.ts";
import { faultOf, type Pace } from "./blob-fault.ts";
import { isSealed } from "./blob-seal.ts";
import { flushAndSeal, UnflushedError } from "./flush-blob.ts";
import type { Layout } from "./layout.ts";
import { isAbsent, keepPrevious, replaceBlob } from "./replace-blob.ts";
import type { StepHook } from "./steps.ts";
import { verifiedBlobs } from "./verified-blobs.ts";

export interface BlobFilesOptions {
  readonly layout: Layout;
  readonly clock: Clock;
  readonly onStep: StepHook;
  /** Rejects if the folder is no longer this process's. */
  readonly confirm: () => Promise<void>;
  /** How many published blobs may wait for their flush, each with an open file. */
  readonly mostUnflushed: number;
}

/** The files of blobs: which of them can be used, how new ones take their place, and how they get onto the disk for good. */
export interface BlobFiles {
  /** The size of a blob that may be used; verifies it first where a crash has left that open. */
  readonly usableSize: (digest: Digest) => Promise<number | undefined>;
  /** Reads all of a blob; one that is damaged is set aside. */
  verify(digest: Digest, pace?: Pace): Promise<BlobState>;
  /** Gives a file whose bytes were just verified the name of its blob. Takes over the open file. */
  readonly publish: (path: string, file: FileHandle, digest: Digest) => Promise<"created" | "existed">;
  /** Resolves when a blob would survive a loss of power. */
  makeDurable(digest: Digest): Promise<void>;
  remove(digest: Digest): Promise<void>;
  /** Resolves when nothing is being flushed any more. */
  settled(): Promise<void>;
}

export function blobFiles({ layout, clock, onStep, confirm, mostUnflushed }: BlobFilesOptions): BlobFiles {
  const flushing = new Map<Digest, Promise<void>>();
  const changing = new Map<Digest, Promise<unknown>>();
  const verifying = new Map<Digest, Promise<BlobState>>();
  const verified = verifiedBlobs(clock);
  const sealed = (stats: Stats): boolean => isSealed(stats, layout.oldSealsUntil);
  // Files that are good although they cannot be sealed, and such that are not and could not be moved.
  const trusted = new Set<Digest>();
  const stuck = new Map<Digest, number>();
  // Of these, what they were before may still be there.
  const replaced = new Set<Digest>();
  const flushSlots = semaphore(2);
  const verifySlots = semaphore(2);

  async function statBlob(digest: Digest): Promise<Stats | undefined> {
    try {
      const stats = await lstat(layout.blob(digest));
      return stats.isFile() && stuck.get(digest) !== stats.ino ? stats : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw fileSystemError(error);
    }
  }

  async function usableSize(digest: Digest): Promise<number | undefined> {
    const stats = await statBlob(digest);
    if (stats === undefined) return undefined;
    if (flushing.has(digest) || isDurable(digest, stats)) return stats.size;
    return (await verify(digest)) === "sound" ? (await statBlob(digest))?.size : undefined;
  }

  function isDurable(digest: Digest, stats: Stats): boolean {
    return sealed(stats) || (trusted.has(digest) && verified.isSame(digest, stats));
  }

  async function verify(digest: Digest, pace?: Pace): Promise<BlobState> {
    // Whoever goes slowly does not hold up those who wait for it.
    if (pace !== undefined) return await verifyOnce(digest, pace);
    const running =
      verifying.get(digest) ?? verifySlots.run(() => verifyOnce(digest)).finally(() => verifying.delete(digest));
    verifying.set(digest, running);
    return await running;
  }

  async function verifyOnce(digest: Digest, pace?: Pace): Promise<BlobState> {
    if ((await statBlob(digest)) === undefined) return "absent";
    let file: FileHandle;
    try {
      file = await open(layout.blob(digest), "r");
    } catch (error) {
      if (isAbsent(error)) return "absent";
      throw fileSystemError(error);
    }
    try {
      const reason = await faultOf(file, digest, pace);
      if (reason === undefined) {
        await sealIfPossible(file, digest);
        await alone(digest, () => dropPreviousOf(file, digest));
        return "sound";
      }
      const { ino } = await file.stat();
      const outcome = await alone(digest, () => dropDamaged(digest, ino, reason));
      return outcome === "changed" ? await verifyOnce(digest, pace) : outcome;
    } catch (error) {
      throw fileSystemError(error instanceof UnflushedError ? error.cause : error);
    } finally {
      await file.close();
    }
  }

  /** A blob that was sent anew and then lost by a loss of power gives way to what it was before. */
  async function dropDamaged(digest: Digest, inode: number, reason: string): Promise<"damaged" | "changed"> {
    await confirm();
    const stats = await statBlob(digest);
    if (stats === undefined) return "damaged";
    if (stats.ino !== inode) return "changed";
    try {
      await rename(layout.previousBlob(digest), layout.blob(digest));
      return "changed";
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    if (!(await setAside(digest, reason))) stuck.set(digest, inode);
    return "damaged";
  }

  async function setAside(digest: Digest, reason: string): Promise<boolean> {
    verified.forget(digest);
    trusted.delete(digest);
    const name = digest.slice("sha256:".length);
    const file = { shelf: "files", name, path: layout.blob(digest) };
    return await layout.damaged.setAside(file, { what: "file", name: digest, reason });
  }

  /** Flushes a file, and seals it: it is on disk for good. */
  async function seal(file: FileHandle, digest: Digest): Promise<void> {
    const stats = await file.stat();
    if (sealed(stats) || trusted.has(digest)) verified.remember(digest, stats);
    else await flush(file, digest);
  }

  /** What an earlier process has left, if this very file is what is there now. */
  async function dropPreviousOf(file: FileHandle, digest: Digest): Promise<void> {
    const [mine, there] = [await file.stat(), await statBlob(digest)];
    if (there?.ino === mine.ino && sealed(there)) await unlink(layout.previousBlob(digest)).catch(() => undefined);
  }

  /** What is there to be read can be read, even if nothing can be noted on the disk. */
  async function sealIfPossible(file: FileHandle, digest: Digest): Promise<void> {
    try {
      await seal(file, digest);
    } catch (error) {
      if (!UNCHANGEABLE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      trusted.add(digest);
      verified.remember(digest, await file.stat());
    }
  }

  async function flush(file: FileHandle, digest: Digest): Promise<void> {
    const stats = await flushAndSeal(file, layout.blobFolder(digest), layout.folders, onStep);
    // Some file systems keep no permission bits; there, what this process knows has to do.
    if (!sealed(stats)) trusted.add(digest);
    verified.remember(digest, stats);
  }

  async function flushAndClose(file: FileHandle, digest: Digest): Promise<void> {
    try {
      await flush(file, digest);
      if (replaced.delete(digest)) await unlink(layout.previousBlob(digest)).catch(() => undefined);
    } catch (error) {
      if (!(error instanceof UnflushedError)) throw error;
      await alone(digest, () => dropUnflushed(file, digest));
      throw error.cause;
    } finally {
      flushing.delete(digest);
      await file.close();
    }
  }

  /**
   * After a flush that failed, the kernel may take the bytes for written and forget them, while they still can be read.
   * Whatever was here before comes back; otherwise the file is asked for again.
   */
  async function dropUnflushed(file: FileHandle, digest: Digest): Promise<void> {
    const [mine, there] = [await file.stat(), await statBlob(digest)];
    if (there?.ino !== mine.ino) return;
    stuck.set(digest, mine.ino);
    const restored = await rename(layout.previousBlob(digest), layout.blob(digest)).then(
      () => true,
      () => false,
    );
    if (!restored) await unlink(layout.blob(digest)).catch(() => undefined);
  }

  /** One change of a blob's name after the other. */
  async function alone<T>(digest: Digest, change: () => Promise<T>): Promise<T> {
    const mine = (changing.get(digest) ?? Promise.resolve()).then(change, change);
    changing.set(digest, mine);
    try {
      return await mine;
    } finally {
      if (changing.get(digest) === mine) changing.delete(digest);
    }
  }

  async function publish(path: string, file: FileHandle, digest: Digest): Promise<"created" | "existed"> {
    const there = await statBlob(digest);
    if (there !== undefined && (flushing.has(digest) || verified.isRecent(digest, there))) {
      await file.close();
      await unlink(path);
      return "existed";
    }
    // Every blob that waits for its flush keeps a file open.
    while (flushing.size >= mostUnflushed) await Promise.race(flushing.values()).catch(() => undefined);
    await confirm();
    verified.forget(digest);
    // Nobody knows whether what is there still is what it was; these bytes are. Until they are flushed, the others stay.
    if (there !== undefined && sealed(there)) {
      replaced.add(digest);
      await keepPrevious(layout, digest, file);
    }
    onStep("publish-rename");
    await replaceBlob(layout, path, digest);
    onStep("publish-done");
    stuck.delete(digest);
    const flushed = flushSlots.run(() => flushAndClose(file, digest));
    // Nobody need wait for it now; `makeDurable` looks at what came of it.
    flushed.catch(() => undefined);
    flushing.set(digest, flushed);
    return there === undefined ? "created" : "existed";
  }

  return {
    usableSize,
    verify,
    publish: (path, file, digest) =>
      alone(digest, async () => {
        try {
          return await publish(path, file, digest);
        } catch (error) {
          throw fileSystemError(error);
        }
      }),
    async makeDurable(digest) {
      try {
        const running = flushing.get(digest);
        if (running !== undefined) {
          await running;
          return;
        }
        const stats = await statBlob(digest);
        // A flush that failed left the bytes in doubt: the kernel may have dropped them.
        const durable = stats !== undefined && isDurable(digest, stats);
        if (!durable && (await verify(digest)) !== "sound") {
          throw new StoreError("damaged", `blob ${digest} could not be flushed`);
        }
      } catch (error) {
        throw fileSystemError(error);
      }
    },
    remove: (digest) =>
      alone(digest, async () => {
        await confirm();
        onStep("blob-delete");
        for (const path of [layout.previousBlob(digest), layout.blob(digest)]) {
          await unlink(path).catch((error: unknown) => {
            if (!isAbsent(error)) throw fileSystemError(error);
          });
        }
        verified.forget(digest);
        for (const known of [trusted, stuck]) known.delete(digest);
      }),
    async settled() {
      await Promise.allSettled(flushing.values());
    },
  };
}

// The file is somebody else's, or on a disk that cannot be written.
const UNCHANGEABLE: ReadonlySet<string> = new Set(["EROFS", "EPERM", "EACCES"]);
