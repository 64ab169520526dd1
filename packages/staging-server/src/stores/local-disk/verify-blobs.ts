import { open, rename, unlink, type FileHandle } from "node:fs/promises";
import type { Digest } from "@kindling/staging-client";
import { fileSystemError } from "../../errors/store-error.ts";
import { semaphore } from "./semaphore.ts";
import type { BlobState } from "../blob-store.ts";
import { hasSeal, statBlob, type BlobFilesContext } from "./blob-files-context.ts";
import { faultOf, type Pace } from "./blob-fault.ts";
import { sealVerified } from "./durable-blobs.ts";
import { UnflushedError } from "./flush-blob.ts";
import { isAbsent } from "./replace-blob.ts";

/** Reads all of a blob, and sets a damaged blob aside. If there are several calls for one blob at a time, it is read once. */
export type VerifyBlob = (digest: Digest, pace?: Pace) => Promise<BlobState>;

export function blobVerification(context: BlobFilesContext): VerifyBlob {
  const verifying = new Map<Digest, Promise<BlobState>>();
  const slots = semaphore(2);
  return async (digest, pace) => {
    // Other callers do not wait for a slow reading.
    if (pace !== undefined) return await verifyOnce(context, digest, pace);
    const running =
      verifying.get(digest) ?? slots.run(() => verifyOnce(context, digest)).finally(() => verifying.delete(digest));
    verifying.set(digest, running);
    return await running;
  };
}

async function verifyOnce(context: BlobFilesContext, digest: Digest, pace?: Pace): Promise<BlobState> {
  const { layout, alone } = context;
  if ((await statBlob(context, digest)) === undefined) return "absent";
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
      await sealVerified(context, file, digest);
      await alone(digest, () => dropPreviousOf(context, file, digest));
      return "sound";
    }
    const { ino } = await file.stat();
    const outcome = await alone(digest, () => dropDamaged(context, digest, ino, reason));
    return outcome === "changed" ? await verifyOnce(context, digest, pace) : outcome;
  } catch (error) {
    throw fileSystemError(error instanceof UnflushedError ? error.cause : error);
  } finally {
    await file.close();
  }
}

/** Deletes the earlier file that another process has left, if exactly this file is in its place now. */
async function dropPreviousOf(context: BlobFilesContext, file: FileHandle, digest: Digest): Promise<void> {
  const [mine, there] = [await file.stat(), await statBlob(context, digest)];
  if (there?.ino === mine.ino && hasSeal(context, there)) {
    await unlink(context.layout.previousBlob(digest)).catch(() => undefined);
  }
}

/** If a blob was sent again and then lost in a loss of power, its earlier file comes back. */
async function dropDamaged(
  context: BlobFilesContext,
  digest: Digest,
  inode: number,
  reason: string,
): Promise<"damaged" | "changed"> {
  const { layout, confirm, stuck } = context;
  await confirm();
  const stats = await statBlob(context, digest);
  if (stats === undefined) return "damaged";
  if (stats.ino !== inode) return "changed";
  try {
    await rename(layout.previousBlob(digest), layout.blob(digest));
    return "changed";
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  if (!(await setAside(context, digest, reason))) stuck.set(digest, inode);
  return "damaged";
}

async function setAside(context: BlobFilesContext, digest: Digest, reason: string): Promise<boolean> {
  const { layout, verified, trusted } = context;
  verified.forget(digest);
  trusted.delete(digest);
  const name = digest.slice("sha256:".length);
  const file = { shelf: "files", name, path: layout.blob(digest) };
  return await layout.damaged.setAside(file, { what: "file", name: digest, reason });
}
