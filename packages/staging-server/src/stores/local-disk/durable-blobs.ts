import { rename, unlink, type FileHandle } from "node:fs/promises";
import type { Digest } from "@kindling/staging-client";
import { hasSeal, statBlob, type BlobFilesContext } from "./blob-files-context.ts";
import { flushAndSeal, UnflushedError } from "./flush-blob.ts";

/** Flushes a blob that was just published to the disk, and closes its file. */
export async function flushPublished(context: BlobFilesContext, file: FileHandle, digest: Digest): Promise<void> {
  const { layout, replaced, flushing, alone } = context;
  try {
    await flush(context, file, digest);
    if (replaced.delete(digest)) await unlink(layout.previousBlob(digest)).catch(() => undefined);
  } catch (error) {
    if (!(error instanceof UnflushedError)) throw error;
    await alone(digest, () => dropUnflushed(context, file, digest));
    throw error.cause;
  } finally {
    flushing.delete(digest);
    await file.close();
  }
}

/** Flushes a blob whose bytes were found right to the disk. The blob can be read even if the seal cannot be written. */
export async function sealVerified(context: BlobFilesContext, file: FileHandle, digest: Digest): Promise<void> {
  const { verified, trusted } = context;
  try {
    const stats = await file.stat();
    if (hasSeal(context, stats) || trusted.has(digest)) verified.remember(digest, stats);
    else await flush(context, file, digest);
  } catch (error) {
    if (!UNCHANGEABLE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    trusted.add(digest);
    verified.remember(digest, await file.stat());
  }
}

// The file belongs to another user, or is on a disk that cannot be written.
const UNCHANGEABLE: ReadonlySet<string> = new Set(["EROFS", "EPERM", "EACCES"]);

/** Flushes a file, and seals it: it is on disk for good. */
async function flush(context: BlobFilesContext, file: FileHandle, digest: Digest): Promise<void> {
  const { layout, onStep, verified, trusted } = context;
  const stats = await flushAndSeal(file, layout.blobFolder(digest), layout.folders, onStep);
  // Some file systems keep no permission bits; there, only this process remembers it.
  if (!hasSeal(context, stats)) trusted.add(digest);
  verified.remember(digest, stats);
}

/**
 * After a flush that failed, the kernel may count the bytes as written and drop them, while they can still be read. The
 * earlier file comes back; if there is none, the client has to send the file again.
 */
async function dropUnflushed(context: BlobFilesContext, file: FileHandle, digest: Digest): Promise<void> {
  const { layout, stuck } = context;
  const [mine, there] = [await file.stat(), await statBlob(context, digest)];
  if (there?.ino !== mine.ino) return;
  stuck.set(digest, mine.ino);
  const restored = await rename(layout.previousBlob(digest), layout.blob(digest)).then(
    () => true,
    () => false,
  );
  if (!restored) await unlink(layout.blob(digest)).catch(() => undefined);
}
