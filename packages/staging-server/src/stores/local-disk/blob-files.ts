import { unlink } from "node:fs/promises";
import type { Digest } from "@kindling/staging-client";
import { fileSystemError, StoreError } from "../../errors/store-error.ts";
import {
  blobFilesContext,
  isDurable,
  statBlob,
  type BlobFilesContext,
  type BlobFilesOptions,
} from "./blob-files-context.ts";
import { blobPublication, type PublishBlob } from "./publish-blobs.ts";
import { isAbsent } from "./replace-blob.ts";
import { blobVerification, type VerifyBlob } from "./verify-blobs.ts";

/** The files of blobs: which can be used, how new files replace them, and how they are flushed to the disk. */
export interface BlobFiles {
  /** The size of a blob that may be used; verifies it first if that is not known after a crash. */
  readonly usableSize: (digest: Digest) => Promise<number | undefined>;
  readonly verify: VerifyBlob;
  readonly publish: PublishBlob;
  /** Resolves when a blob would survive a loss of power. */
  makeDurable(digest: Digest): Promise<void>;
  remove(digest: Digest): Promise<void>;
  /** Resolves when no flush is under way any more. */
  settled(): Promise<void>;
}

export function blobFiles(options: BlobFilesOptions): BlobFiles {
  const context = blobFilesContext(options);
  const { flushing, alone } = context;
  const verify = blobVerification(context);
  const publish = blobPublication(context);
  return {
    async usableSize(digest) {
      const stats = await statBlob(context, digest);
      if (stats === undefined) return undefined;
      if (flushing.has(digest) || isDurable(context, digest, stats)) return stats.size;
      return (await verify(digest)) === "sound" ? (await statBlob(context, digest))?.size : undefined;
    },
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
        await makeDurable(context, verify, digest);
      } catch (error) {
        throw fileSystemError(error);
      }
    },
    remove: (digest) => alone(digest, () => remove(context, digest)),
    async settled() {
      await Promise.allSettled(flushing.values());
    },
  };
}

async function makeDurable(context: BlobFilesContext, verify: VerifyBlob, digest: Digest): Promise<void> {
  const running = context.flushing.get(digest);
  if (running !== undefined) {
    await running;
    return;
  }
  const stats = await statBlob(context, digest);
  // A flush that failed left the bytes in doubt: the kernel may have dropped them.
  const durable = stats !== undefined && isDurable(context, digest, stats);
  if (!durable && (await verify(digest)) !== "sound") {
    throw new StoreError("damaged", `blob ${digest} could not be flushed`);
  }
}

async function remove(context: BlobFilesContext, digest: Digest): Promise<void> {
  const { layout, confirm, onStep, verified, trusted, stuck } = context;
  await confirm();
  onStep("blob-delete");
  for (const path of [layout.previousBlob(digest), layout.blob(digest)]) {
    await unlink(path).catch((error: unknown) => {
      if (!isAbsent(error)) throw fileSystemError(error);
    });
  }
  verified.forget(digest);
  for (const known of [trusted, stuck]) known.delete(digest);
}
