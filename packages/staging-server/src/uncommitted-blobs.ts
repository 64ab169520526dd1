import type { BundleIndex } from "./bundle-index.ts";
import type { Capacity } from "./capacity.ts";
import type { Leases } from "./metadata/leases.ts";
import type { BlobStore } from "./stores/blob-store.ts";

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
      const size = await store.stat(digest);
      if (size !== undefined) capacity.noteUncommitted(namespace, digest, size);
    }
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
