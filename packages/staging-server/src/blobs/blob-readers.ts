import type { Digest } from "@kindling/staging-client";
import { StoreError } from "../errors/store-error.ts";
import type { BlobReader, BlobStore, ByteRange } from "../stores/blob-store.ts";

export interface SizedBlob {
  readonly digest: Digest;
  readonly size: number;
}

/** The reads of blobs through this server. */
export interface BlobReaders {
  /**
   * A range of a blob of known size. If the blob turns out to be damaged, it is verified and set aside.
   *
   * @throws StoreError `damaged`
   */
  read(blob: SizedBlob, range: ByteRange): Promise<BlobReader | undefined>;
  /** The blobs that are being read through this server at present. */
  reading(): ReadonlySet<Digest>;
}

export function blobReaders(store: BlobStore): BlobReaders {
  const readers = new Map<Digest, number>();

  function enter(digest: Digest): () => void {
    readers.set(digest, (readers.get(digest) ?? 0) + 1);
    let left = false;
    return () => {
      if (!left) leave(digest);
      left = true;
    };
  }

  function leave(digest: Digest): void {
    const others = (readers.get(digest) ?? 1) - 1;
    if (others === 0) readers.delete(digest);
    else readers.set(digest, others);
  }

  return {
    async read(blob, range) {
      const { digest } = blob;
      const leaveOnce = enter(digest);
      try {
        const reader = await open(store, blob, range);
        if (reader === undefined) {
          leaveOnce();
          return undefined;
        }
        return {
          [Symbol.asyncIterator]: () =>
            onFailure(reader[Symbol.asyncIterator](), (error) => lookAt(store, digest, error)),
          async close() {
            leaveOnce();
            await reader.close();
          },
        };
      } catch (error) {
        leaveOnce();
        lookAt(store, digest, error);
        throw error;
      }
    },
    reading: () => new Set(readers.keys()),
  };
}

async function open(store: BlobStore, { digest, size }: SizedBlob, range: ByteRange): Promise<BlobReader | undefined> {
  // Only where it costs nothing: other stores protect their bytes themselves.
  const actual = store.verify === undefined ? size : await store.stat(digest);
  if (actual !== undefined && actual !== size) {
    throw new StoreError("damaged", `the file in the store has ${actual} bytes instead of ${size}`);
  }
  return await store.open(digest, range);
}

/** A reader failed because of damage, or because the disk is away. Reading the whole blob tells which. */
function lookAt(store: BlobStore, digest: Digest, error: unknown): void {
  // The store reports what it finds.
  if (error instanceof StoreError) store.verify?.(digest).catch(() => undefined);
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
