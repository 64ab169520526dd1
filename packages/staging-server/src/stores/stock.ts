import type { BlobStore } from "./blob-store.ts";

/** How many blobs a store holds, and their bytes if the store reports them. */
export interface Stock {
  readonly blobs: number;
  readonly blobBytes: number;
}

/**
 * Counts what a store holds at the time of the call. Only people ask for it, and rarely. Still, one count runs at a time,
 * however many calls there are.
 */
export function stockTaking(store: Pick<BlobStore, "list">): () => Promise<Stock> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Stock> | undefined;
  return () => {
    // A call during a count gets the result of the next count, which sees everything that existed before the call.
    if (next !== undefined) return next;
    const mine = last
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return count(store);
      });
    next = mine;
    last = mine;
    return mine;
  };
}

async function count(store: Pick<BlobStore, "list">): Promise<Stock> {
  let blobs = 0;
  let blobBytes = 0;
  for await (const { size = 0 } of store.list()) {
    blobs++;
    blobBytes += size;
  }
  return { blobs, blobBytes };
}
