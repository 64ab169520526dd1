import type { Digest, Digester } from "@kindling/staging-client";
import type { Blobs } from "../blobs.ts";
import { ProblemError } from "../problem-error.ts";
import type { Ingest } from "../stores/blob-store.ts";
import { hashReader } from "../stores/hash-reader.ts";

export interface CompletedIngest {
  readonly ingest: Ingest;
  /** The hash of all of its bytes; `undefined` if the process that began it is gone, and it has to be read back. */
  readonly hash: Digester | undefined;
  /** What the bytes are to be; `undefined` takes them for what they are. */
  readonly expected: { readonly digest: Digest; readonly size: number } | undefined;
  /** Protects the blob from the cleaner; called before it is published. */
  readonly pin: (digest: Digest) => Promise<void>;
}

export interface PublishedBlob {
  readonly digest: Digest;
  readonly size: number;
  readonly outcome: "created" | "existed";
}

/**
 * The one way by which bytes become a blob: all of them are there, and have the digest.
 *
 * @throws ProblemError `digest-mismatch`; nothing of the ingest is left then
 */
export async function verifyAndPublish(blobs: Blobs, completed: CompletedIngest): Promise<PublishedBlob> {
  const { expected, ingest } = completed;
  const sealed = await ingest.seal();
  try {
    const digest = completed.hash?.digest() ?? (await hashReader(await sealed.read())).digest;
    if (expected !== undefined && (digest !== expected.digest || sealed.size !== expected.size)) {
      const received = `${sealed.size} bytes of ${digest}`;
      throw new ProblemError("digest-mismatch", `announced ${expected.digest}, received ${received}`);
    }
    await completed.pin(digest);
    return { digest, size: sealed.size, outcome: await blobs.publish(sealed, digest) };
  } catch (error) {
    await sealed.discard();
    throw error;
  }
}
