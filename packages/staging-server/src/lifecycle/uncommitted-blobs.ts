import type { BundleIndex } from "../bundles/bundle-index.ts";
import { StoreError } from "../errors/store-error.ts";
import type { Capacity } from "../ledger/capacity.ts";
import type { Leases } from "../metadata/leases.ts";
import type { BlobStore } from "../stores/blob-store.ts";

interface Uncommitted {
  readonly leases: Pick<Leases, "heldBy">;
  readonly index: Pick<BundleIndex, "namespaces" | "digests">;
  readonly capacity: Pick<Capacity, "noteUncommitted" | "forgetUnless">;
}

/**
 * Finds the blobs that were uploaded before the start and are of no bundle yet: what the leases hold that the namespace's
 * bundles do not have. Whose those are that no lease holds any more is not known; they go after their grace.
 */
export async function countUncommitted({
  leases,
  index,
  capacity,
  store,
}: Uncommitted & { readonly store: Pick<BlobStore, "stat"> }): Promise<void> {
  for (const [namespace, digests] of leases.heldBy()) {
    for (const digest of digests) {
      if (index.namespaces().get(namespace)?.has(digest) === true) continue;
      const size = await store.stat(digest).catch(orUnknown);
      if (size !== undefined) capacity.noteUncommitted(namespace, digest, size);
    }
  }
}

/** A file that the disk does not give is no reason not to start. */
function orUnknown(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}

/**
 * A blob that was damaged and put aside, or lost before it had been flushed, is in no list of the store, so that nobody
 * deletes it: without a bundle, it counts no more. Of a bundle, it goes on counting, for when it is sent again.
 */
export async function forgetLost({
  capacity,
  store,
}: {
  readonly capacity: Pick<Capacity, "ofNoBundle" | "deleted">;
  readonly store: Pick<BlobStore, "stat" | "verify">;
}): Promise<void> {
  // Where the store sees to its bytes itself, nothing is put aside, and each look costs a request.
  if (store.verify === undefined) return;
  for (const digest of capacity.ofNoBundle()) {
    if ((await store.stat(digest)) === undefined) capacity.deleted([digest]);
  }
}

/**
 * A blob that no lease of a namespace holds any more is not kept on its account, where a bundle has it. Where nobody has
 * it, it counts until it is deleted.
 *
 * @param staySeconds after which another server must have deleted it; infinite where this one deletes
 */
export function forgetUnheld({
  leases,
  index,
  capacity,
  staySeconds,
}: Uncommitted & { readonly staySeconds: number }): void {
  const held = leases.heldBy();
  const inUse = new Set(index.digests());
  capacity.forgetUnless((namespace, digest, seconds) => {
    // Committed at another server.
    if (index.namespaces().get(namespace)?.has(digest) === true) return false;
    return held.get(namespace)?.has(digest) === true || (!inUse.has(digest) && seconds < staySeconds);
  });
}
