import type { BlobStore } from "./blob-store.ts";

/** How many blobs a store holds, and their bytes where it tells them. */
export interface Stock {
  readonly blobs: number;
  readonly blobBytes: number;
}

/**
 * Counts what a store holds, at the time of asking. People ask for it, and rarely; still, however many ask at once, the
 * store is gone through by one at a time.
 */
export function stockTaking(store: Pick<BlobStore, "list">): () => Promise<Stock> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Stock> | undefined;
  return () => {
    // Whoever asks while a count is under way gets that of the one after it, which sees all that was there before.
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
