import { sleep, type Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { ProblemError } from "../errors/problem-error.ts";
import { StoreError } from "../errors/store-error.ts";
import type { BlobReader, BlobStore, ByteRange, SealedIngest } from "../stores/blob-store.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import { blobDeletions, type Deletions } from "./deletions.ts";

/*
 * How a blob is never deleted under the feet of somebody who was told that it is here, with any number of servers:
 *
 *   whoever uses a blob       writes its pin (lease, bundle), then reads the list of blobs being deleted
 *   whoever deletes a blob    writes it into that list, then reads all pins
 *
 * Whichever comes first, at least one of the two sees the other. The user who finds the blob on the list takes it for
 * absent, and publishes it again only when the list has let go of it; the deleter who finds a pin takes it off the list.
 */

/** The blobs of a server: its store, and who reads from it. */
export interface Blobs {
  readonly store: BlobStore;
  readonly deletions: Deletions;
  /** The size of a blob that is here to stay as long as the caller's pin does; pin it first. */
  find(digest: Digest): Promise<number | undefined>;
  /** The same for many. */
  findAll(digests: readonly Digest[]): Promise<ReadonlyMap<Digest, number>>;
  publish(sealed: SealedIngest, digest: Digest): Promise<"created" | "existed">;
  /**
   * A range of a blob that is known to have so many bytes. One that turns out to be damaged is looked at and set aside.
   *
   * @throws StoreError `damaged`
   */
  read(blob: { readonly digest: Digest; readonly size: number }, range: ByteRange): Promise<BlobReader | undefined>;
  /** What is being read through this server at present. */
  reading(): ReadonlySet<Digest>;
}

const FIND_CONCURRENCY = 16;
const DELETION_WAIT_MS = 200;
const DELETION_PATIENCE_MS = 30_000;

export function blobService(store: BlobStore, documents: DocumentStore, clock: Clock): Blobs {
  const deletions = blobDeletions(documents);
  const readers = new Map<Digest, number>();

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

  function leave(digest: Digest): void {
    const others = (readers.get(digest) ?? 1) - 1;
    if (others === 0) readers.delete(digest);
    else readers.set(digest, others);
  }

  /** A reader that failed has met damage, or a disk that is away: which of them, reading all of it tells. */
  function lookAt(digest: Digest, error: unknown): void {
    // The store tells of what it finds.
    if (error instanceof StoreError) store.verify?.(digest).catch(() => undefined);
  }

  async function open(
    { digest, size }: { readonly digest: Digest; readonly size: number },
    range: ByteRange,
  ): Promise<BlobReader | undefined> {
    // Only where it costs nothing: elsewhere, the store sees to its bytes itself.
    const actual = store.verify === undefined ? size : await store.stat(digest);
    if (actual !== undefined && actual !== size) {
      throw new StoreError("damaged", `the file in the store has ${actual} bytes instead of ${size}`);
    }
    return await store.open(digest, range);
  }

  return {
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
    async read(blob, range) {
      const { digest } = blob;
      readers.set(digest, (readers.get(digest) ?? 0) + 1);
      let left = false;
      const leaveOnce = (): void => {
        if (!left) leave(digest);
        left = true;
      };
      try {
        const reader = await open(blob, range);
        if (reader === undefined) {
          leaveOnce();
          return undefined;
        }
        return {
          [Symbol.asyncIterator]: () => onFailure(reader[Symbol.asyncIterator](), (error) => lookAt(digest, error)),
          async close() {
            leaveOnce();
            await reader.close();
          },
        };
      } catch (error) {
        leaveOnce();
        lookAt(digest, error);
        throw error;
      }
    },
    reading: () => new Set(readers.keys()),
  };
}

function onFailure<T>(
  iterator: AsyncIterator<T, unknown>,
  failed: (error: unknown) => void,
): AsyncIterator<T, unknown> {
  return {
    async next() {
      try {
        return await iterator.next();
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
  };
}
