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
 * Finds the blobs that were uploaded before the start and that no bundle has yet: the leases hold them, and the
 * namespace's bundles do not have them. If no lease holds a blob any more, its namespace is not known; it is deleted
 * after its grace period.
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

/** A server can start even if the disk cannot read one file. */
function orUnknown(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}

/**
 * A blob that was damaged and set aside, or lost before it was flushed, is not listed by the store, so no collection
 * deletes it. If no bundle has it, it does not count any more. If a bundle has it, it still counts, because it may be
 * sent again.
 */
export async function forgetLost({
  capacity,
  store,
}: {
  readonly capacity: Pick<Capacity, "ofNoBundle" | "deleted">;
  readonly store: Pick<BlobStore, "stat" | "verify">;
}): Promise<void> {
  // If the store protects its bytes itself, nothing is set aside, and each check costs a request.
  if (store.verify === undefined) return;
  for (const digest of capacity.ofNoBundle()) {
    if ((await store.stat(digest)) === undefined) capacity.deleted([digest]);
  }
}

/**
 * A blob that no lease of a namespace holds any more does not count for the namespace if any bundle has it. If no bundle
 * has it, it counts until it is deleted.
 *
 * @param staySeconds after which another server must have deleted it; infinite if this server deletes
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
    // It was committed at another server.
    if (index.namespaces().get(namespace)?.has(digest) === true) return false;
    return held.get(namespace)?.has(digest) === true || (!inUse.has(digest) && seconds < staySeconds);
  });
}
