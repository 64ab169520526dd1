import { sleep, type Clock, type Digest } from "@kindling/staging-client";
import { documentCollection } from "./metadata/document.ts";
import type { DocumentStore } from "./metadata/document-store.ts";
import { ProblemError } from "./problem-error.ts";
import type { BlobReader, BlobStore, ByteRange, SealedIngest } from "./stores/blob-store.ts";

/*
 * How a blob is never deleted under the feet of somebody who was told that it is here, with any number of servers:
 *
 *   whoever uses a blob       writes its pin (lease, bundle), then reads the list of blobs being deleted
 *   whoever deletes a blob    writes it into that list, then reads all pins
 *
 * Whichever comes first, at least one of the two sees the other. The user who finds the blob on the list takes it for
 * absent, and publishes it again only when the list has let go of it; the deleter who finds a pin takes it off the list.
 */

/** Blobs that are being deleted at this very moment. */
export interface DeletingRecord {
  readonly digests: readonly Digest[];
}

export const DELETING = "deleting";

/** The blobs of a server: its store, and who reads from it. */
export interface Blobs {
  readonly store: BlobStore;
  /** The size of a blob that is here to stay as long as the caller's pin does; pin it first. */
  find(digest: Digest): Promise<number | undefined>;
  /** The same for many. */
  findAll(digests: readonly Digest[]): Promise<ReadonlyMap<Digest, number>>;
  publish(sealed: SealedIngest, digest: Digest): Promise<"created" | "existed">;
  read(digest: Digest, range: ByteRange): Promise<BlobReader | undefined>;
  /** What is being read through this server at present. */
  reading(): ReadonlySet<Digest>;
}

const FIND_CONCURRENCY = 16;
const DELETION_WAIT_MS = 200;
const DELETION_PATIENCE_MS = 30_000;

export function blobService(store: BlobStore, documents: DocumentStore, clock: Clock): Blobs {
  const deletions = documentCollection<DeletingRecord>(documents, "state");
  const readers = new Map<Digest, number>();
  const deleting = async (): Promise<ReadonlySet<Digest>> => new Set((await deletions.get(DELETING))?.value.digests);

  async function untilNotDeleting(digest: Digest): Promise<void> {
    const begin = clock.monotonic();
    while ((await deleting()).has(digest)) {
      if (clock.monotonic() - begin > DELETION_PATIENCE_MS) {
        throw new ProblemError("store-unavailable", "the file cannot be stored at this moment", {
          retryAfterSeconds: 5,
        });
      }
      await sleep(clock, DELETION_WAIT_MS);
    }
  }

  function leave(digest: Digest): void {
    const others = (readers.get(digest) ?? 1) - 1;
    if (others === 0) readers.delete(digest);
    else readers.set(digest, others);
  }

  return {
    store,
    async find(digest) {
      return (await deleting()).has(digest) ? undefined : await store.stat(digest);
    },
    async findAll(digests) {
      const gone = await deleting();
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
    async read(digest, range) {
      readers.set(digest, (readers.get(digest) ?? 0) + 1);
      let left = false;
      const leaveOnce = (): void => {
        if (!left) leave(digest);
        left = true;
      };
      try {
        const reader = await store.open(digest, range);
        if (reader === undefined) {
          leaveOnce();
          return undefined;
        }
        return {
          [Symbol.asyncIterator]: () => reader[Symbol.asyncIterator](),
          async close() {
            leaveOnce();
            await reader.close();
          },
        };
      } catch (error) {
        leaveOnce();
        throw error;
      }
    },
    reading: () => new Set(readers.keys()),
  };
}
