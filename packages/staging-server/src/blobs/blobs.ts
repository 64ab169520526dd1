import { sleep, type Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { ProblemError } from "../errors/problem-error.ts";
import type { BlobStore, SealedIngest } from "../stores/blob-store.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import { blobReaders, type BlobReaders } from "./blob-readers.ts";
import { blobDeletions, type Deletions } from "./deletions.ts";

/*
 * Why a blob is never deleted after a client was told that it is here, with any number of servers:
 *
 *   a user of a blob        writes its pin (lease, bundle), then reads the list of blobs being deleted
 *   a deleter of a blob     writes it into that list, then reads all pins
 *
 * Whichever comes first, at least one of the two sees the other. A user who finds the blob on the list treats it as
 * absent, and publishes it again only when it is no longer on the list. A deleter who finds a pin removes the blob from
 * the list.
 */

/** The blobs of a server: its store, and the reads from it. */
export interface Blobs extends BlobReaders {
  readonly store: BlobStore;
  readonly deletions: Deletions;
  /** The size of a blob that stays here as long as the caller's pin; pin it first. */
  find(digest: Digest): Promise<number | undefined>;
  /** The same for many. */
  findAll(digests: readonly Digest[]): Promise<ReadonlyMap<Digest, number>>;
  publish(sealed: SealedIngest, digest: Digest): Promise<"created" | "existed">;
}

const FIND_CONCURRENCY = 16;
const DELETION_WAIT_MS = 200;
const DELETION_PATIENCE_MS = 30_000;

export function blobService(store: BlobStore, documents: DocumentStore, clock: Clock): Blobs {
  const deletions = blobDeletions(documents);

  async function untilNotDeleting(digest: Digest): Promise<void> {
    const begin = clock.monotonic();
    while ((await deletions.current()).has(digest)) {
      if (clock.monotonic() - begin > DELETION_PATIENCE_MS) {
        throw new ProblemError("store-unavailable", "the file cannot be stored at this moment", {
          retryAfterSeconds: 5,
        });
      }
      await sleep(clock, DELETION_WAIT_MS);
    }
  }

  return {
    ...blobReaders(store),
    store,
    deletions,
    async find(digest) {
      return (await deletions.current()).has(digest) ? undefined : await store.stat(digest);
    },
    async findAll(digests) {
      const gone = await deletions.current();
      const sizes = new Map<Digest, number>();
      const queue = digests.filter((digest) => !gone.has(digest));
      const work = async (): Promise<void> => {
        for (let digest = queue.pop(); digest !== undefined; digest = queue.pop()) {
          const size = await store.stat(digest);
          if (size !== undefined) sizes.set(digest, size);
        }
      };
      await Promise.all(Array.from({ length: FIND_CONCURRENCY }, work));
      return sizes;
    },
    async publish(sealed, digest) {
      await untilNotDeleting(digest);
      return await sealed.publish(digest);
    },
  };
}
