import type { Digest } from "@kindling/staging-client";
import { DELETING, type Blobs, type DeletingRecord } from "../blobs.ts";
import type { BundleIndex } from "../bundle-index.ts";
import { documentCollection } from "../metadata/document.ts";
import type { DocumentStore } from "../metadata/document-store.ts";
import type { Leases } from "../metadata/leases.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import { condemnedBlobs } from "./condemned.ts";
import type { ReplicaReaders } from "./replica-readers.ts";

export interface CollectBlobsContext {
  readonly blobs: Blobs;
  readonly documents: DocumentStore;
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

/** Marks blobs that nothing refers to, and deletes those that have been marked for the whole grace. */
export async function collectBlobs(context: CollectBlobsContext, dryRun: boolean): Promise<CollectedBlobs> {
  const { blobs, documents, clock, graceSeconds } = context;
  if (!dryRun) await finishDeletions(context, new Map());

  const inUse = await referenced(context);
  const condemnations = condemnedBlobs(documents);
  const due = new Map<Digest, number>();
  let condemned = 0;
  let count = 0;
  let bytes = 0;
  for await (const { digest, size = 0 } of blobs.store.list()) {
    count++;
    bytes += size;
    if (inUse.has(digest)) continue;
    const marked = (await condemnations.since(digest)) ?? clock.seconds();
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
    await setDeleting(context, batch);
    const gone = await finishDeletions(context, due);
    deleted += gone.length;
    bytesFreed += sum(gone.map((digest) => due.get(digest) ?? 0));
  }
  await condemnations.finish();
  return { blobs: count - deleted, blobBytes: bytes - bytesFreed, condemned, deleted, bytesFreed };
}

/**
 * Deletes what is on the list of deletions and is still not in use, then clears the list. Also what a server left there
 * that stopped in between.
 */
async function finishDeletions(context: CollectBlobsContext, sizes: ReadonlyMap<Digest, number>): Promise<Digest[]> {
  const states = documentCollection<DeletingRecord>(context.documents, "state");
  const listed = (await states.get(DELETING))?.value.digests ?? [];
  if (listed.length === 0) return [];
  // Read after the list was written: see blobs.ts for why that order matters.
  const inUse = await referenced(context);
  const gone = listed.filter((digest) => !inUse.has(digest));
  for (const digest of gone) {
    if (!context.inCharge()) throw new Error("another server has taken over the deletions");
    await context.blobs.store.delete(digest);
  }
  await setDeleting(context, []);
  context.onDeleted(gone);
  return gone.filter((digest) => sizes.has(digest));
}

/** Everything that must stay. Leases before bundles: a commit makes its bundle first, then gives up its lease. */
async function referenced(context: CollectBlobsContext): Promise<ReadonlySet<Digest>> {
  const inUse = new Set<Digest>(await context.leases.allPinned());
  for (const digest of await context.readers.all()) inUse.add(digest);
  await context.index.refresh();
  for (const digest of context.index.digests()) inUse.add(digest);
  return inUse;
}

async function setDeleting({ documents }: CollectBlobsContext, digests: readonly Digest[]): Promise<void> {
  await put(documentCollection<DeletingRecord>(documents, "state"), DELETING, { digests });
}

async function put<T>(states: ReturnType<typeof documentCollection<T>>, name: string, value: T): Promise<void> {
  if ((await states.update(name, () => value)) === undefined) await states.create(name, value);
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
