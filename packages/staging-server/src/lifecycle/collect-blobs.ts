import type { Digest } from "@kindling/staging-client";
import type { Blobs } from "../blobs/blobs.ts";
import type { BundleIndex } from "../bundles/bundle-index.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { Leases } from "../metadata/leases.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { CondemnedBlobs } from "./condemned-blobs.ts";
import type { ReplicaReaders } from "../replicas/replica-readers.ts";

export interface CollectBlobsContext {
  readonly blobs: Blobs;
  readonly condemned: CondemnedBlobs;
  readonly bundles: Bundles;
  readonly index: BundleIndex;
  readonly leases: Leases;
  readonly readers: ReplicaReaders;
  readonly clock: ServiceClock;
  readonly graceSeconds: number;
  /** Whether this server is still the one that deletes; asked before each deletion. */
  readonly inCharge: () => boolean;
  readonly onDeleted: (digests: readonly Digest[]) => void;
}

export interface CollectedBlobs {
  readonly blobs: number;
  readonly blobBytes: number;
  readonly condemned: number;
  readonly deleted: number;
  readonly bytesFreed: number;
}

const BATCH = 256;

/** Marks blobs without references, and deletes those that have been marked for the whole grace period. */
export async function collectBlobs(context: CollectBlobsContext, dryRun: boolean): Promise<CollectedBlobs> {
  const { blobs, clock, graceSeconds } = context;
  if (!dryRun) await finishDeletions(context, new Map());

  const inUse = await referenced(context);
  const condemnations = context.condemned.begin();
  const due = new Map<Digest, number>();
  let condemned = 0;
  let count = 0;
  let bytes = 0;
  for await (const { digest, size = 0 } of blobs.store.list()) {
    count++;
    bytes += size;
    if (inUse.has(digest)) continue;
    // Never later than now: a clock that was lost begins again.
    const marked = Math.min((await condemnations.since(digest)) ?? Infinity, clock.seconds());
    if (clock.seconds() - marked > graceSeconds + clock.slackSeconds) due.set(digest, size);
    else {
      condemned++;
      if (!dryRun) await condemnations.mark(digest, marked);
    }
  }
  if (dryRun) return { blobs: count, blobBytes: bytes, condemned, deleted: due.size, bytesFreed: sum(due.values()) };

  let deleted = 0;
  let bytesFreed = 0;
  for (const batch of batches([...due.keys()])) {
    await blobs.deletions.set(batch);
    const gone = await finishDeletions(context, due);
    deleted += gone.length;
    bytesFreed += sum(gone.map((digest) => due.get(digest) ?? 0));
  }
  await condemnations.finish();
  return { blobs: count - deleted, blobBytes: bytes - bytesFreed, condemned, deleted, bytesFreed };
}

/**
 * Deletes blobs that are on the list of deletions and still not in use, then clears the list. This includes entries of a
 * server that stopped before it was done.
 */
async function finishDeletions(context: CollectBlobsContext, sizes: ReadonlyMap<Digest, number>): Promise<Digest[]> {
  const { blobs } = context;
  const listed = [...(await blobs.deletions.current())];
  if (listed.length === 0) return [];
  // Read after the list was written: see blobs.ts for the reason of this order.
  const inUse = await referenced(context);
  const gone = listed.filter((digest) => !inUse.has(digest));
  for (const digest of gone) {
    if (!context.inCharge()) throw new Error("another server has taken over the deletions");
    await blobs.store.delete(digest);
  }
  await blobs.deletions.set([]);
  context.onDeleted(gone);
  return gone.filter((digest) => sizes.has(digest));
}

/** Everything that must stay. Leases before bundles: a commit makes its bundle first, then gives up its lease. */
async function referenced(context: CollectBlobsContext): Promise<ReadonlySet<Digest>> {
  const inUse = new Set<Digest>(await context.leases.allPinned());
  for (const digest of await context.readers.all()) inUse.add(digest);
  await context.index.refresh();
  // After the refresh, which finds out what is damaged.
  for (const digest of await context.bundles.filesOfDamaged()) inUse.add(digest);
  for (const digest of context.index.digests()) inUse.add(digest);
  return inUse;
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
