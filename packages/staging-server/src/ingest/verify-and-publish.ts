import type { Digest, Digester } from "@kindling/staging-client";
import type { Blobs } from "../blobs/blobs.ts";
import { ProblemError, storageProblem } from "../errors/problem-error.ts";
import type { Ingest, SealedIngest } from "../stores/blob-store.ts";
import { hashReader } from "../stores/hash-reader.ts";

export interface CompletedIngest {
  readonly ingest: Ingest;
  /** The hash of all of its bytes; `undefined` if the process that began it is gone, and the bytes have to be read back. */
  readonly hash: Digester | undefined;
  /** The digest and the size that the bytes must have; `undefined` accepts any bytes. */
  readonly expected: { readonly digest: Digest; readonly size: number } | undefined;
  /** Protects the blob from the cleaner; called before it is published. */
  readonly pin: (digest: Digest) => Promise<void>;
  /** Whether a client can go on with the bytes if the storage fails for now. */
  readonly resumable?: boolean;
}

export interface PublishedBlob {
  readonly digest: Digest;
  readonly size: number;
  readonly outcome: "created" | "existed";
}

/** The storage failed. All bytes of the ingest are there, and publishing can be tried again later. */
export class PublishLaterError extends Error {
  constructor(cause: unknown) {
    super("the storage failed when all bytes were there", { cause });
    this.name = "PublishLaterError";
  }
}

/**
 * The only way in which bytes become a blob: all of them are there, and have the digest.
 *
 * @throws ProblemError `digest-mismatch`; nothing of the ingest is left after this or any other failure, except after a
 * `PublishLaterError`
 */
export async function verifyAndPublish(blobs: Blobs, completed: CompletedIngest): Promise<PublishedBlob> {
  const { expected, ingest } = completed;
  const sealed = await sealOrDrop(ingest);
  try {
    const digest = completed.hash?.digest() ?? (await hashReader(await sealed.read())).digest;
    if (expected !== undefined && (digest !== expected.digest || sealed.size !== expected.size)) {
      const received = `${sealed.size} bytes of ${digest}`;
      throw new ProblemError("digest-mismatch", `announced ${expected.digest}, received ${received}`);
    }
    await completed.pin(digest);
    return { digest, size: sealed.size, outcome: await blobs.publish(sealed, digest) };
  } catch (error) {
    if (completed.resumable === true && sealed.keep !== undefined && isOfStorage(error)) {
      await sealed.keep();
      throw new PublishLaterError(error);
    }
    await sealed.discard();
    throw error;
  }
}

async function sealOrDrop(ingest: Ingest): Promise<SealedIngest> {
  try {
    return await ingest.seal();
  } catch (error) {
    await ingest.abort();
    throw error;
  }
}

const OF_STORAGE: ReadonlySet<string> = new Set(["no-space", "store-read-only", "store-unavailable", "conflict"]);

/** Whether the storage is the cause of an error, and not the bytes. */
export function isOfStorage(error: unknown): boolean {
  const problem = storageProblem(error);
  return problem instanceof ProblemError && OF_STORAGE.has(problem.problem);
}
