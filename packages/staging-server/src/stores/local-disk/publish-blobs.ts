import { unlink, type FileHandle } from "node:fs/promises";
import type { Digest } from "@kindling/staging-client";
import { semaphore } from "./semaphore.ts";
import { hasSeal, statBlob, type BlobFilesContext } from "./blob-files-context.ts";
import { flushPublished } from "./durable-blobs.ts";
import { keepPrevious, replaceBlob } from "./replace-blob.ts";

/** Gives a file whose bytes were just verified the name of its blob. The open file then belongs to the callee. */
export type PublishBlob = (path: string, file: FileHandle, digest: Digest) => Promise<"created" | "existed">;

/** For one blob at a time; the flush goes on afterwards. */
export function blobPublication(context: BlobFilesContext): PublishBlob {
  const { layout, onStep, confirm, mostUnflushed, flushing, verified, stuck, replaced } = context;
  const flushSlots = semaphore(2);
  return async (path, file, digest) => {
    const there = await statBlob(context, digest);
    if (there !== undefined && (flushing.has(digest) || verified.isRecent(digest, there))) {
      await file.close();
      await unlink(path);
      return "existed";
    }
    // Every blob that waits for its flush keeps a file open.
    while (flushing.size >= mostUnflushed) await Promise.race(flushing.values()).catch(() => undefined);
    await confirm();
    verified.forget(digest);
    // The existing bytes may be damaged by now; the new ones are verified. Until these are flushed, the old ones stay.
    if (there !== undefined && hasSeal(context, there)) {
      replaced.add(digest);
      await keepPrevious(layout, digest, file);
    }
    onStep("publish-rename");
    await replaceBlob(layout, path, digest);
    onStep("publish-done");
    stuck.delete(digest);
    const flushed = flushSlots.run(() => flushPublished(context, file, digest));
    // Nothing has to wait for it now; `makeDurable` checks the result.
    flushed.catch(() => undefined);
    flushing.set(digest, flushed);
    return there === undefined ? "created" : "existed";
  };
}
