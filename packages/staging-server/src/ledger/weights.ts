import type { BundleFile, StagedResourcesOwner } from "@kindling/staging-client";
import type { Amounts } from "./ledger.ts";

/*
 * How much things take in memory and in the store. Memory is an estimate on the safe side, measured with Node 20. The
 * store's bytes are counted in blocks of 4 KiB for any store: a small file takes a whole block, and a name of its own.
 */

const BLOCK = 4096;
// Documents up to a block stay in memory as text.
const MOST_CACHED = BLOCK;

/** Bytes that a file takes. */
export function blocks(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BLOCK)) * BLOCK;
}

export const LEASE: Amounts = { leases: 1, memory: 1536, disk: BLOCK };
/** A digest that a lease names, in memory. */
export const LEASE_DIGEST_MEMORY = 256;

/** A document with digests of a lease. */
export function leaseEntry(digests: number): { readonly memory: number; readonly disk: number } {
  const bytes = 64 + digests * 76;
  return { memory: 256 + Math.min(MOST_CACHED, bytes), disk: blocks(bytes) };
}

/** An upload's record, with the running hash of its bytes. */
export const UPLOAD: Amounts = { uploads: 1, memory: 3072, disk: BLOCK };

/** A blob that a namespace has, once for all its bundles. */
export function blobOf(size: number): { readonly memory: number; readonly disk: number } {
  return { memory: 256, disk: blocks(size) };
}

/** A blob that the namespace's bundles no longer have, until it is collected. */
export function leftoverOf(size: number): Amounts {
  const { memory, disk } = blobOf(size);
  return { memory, leftovers: disk };
}

/** The members of a bundle's record that may have any length. */
interface RecordToWeigh {
  readonly owner: StagedResourcesOwner;
  readonly createdBy: string;
}

/** A bundle without its blobs: its record, and the manifest that names them. */
export function bundleOf(record: RecordToWeigh, files: readonly BundleFile[]): Amounts {
  let labels = 0;
  for (const [key, value] of Object.entries(record.owner.ownerLabels)) labels += key.length + value.length + 8;
  let manifest = 0;
  for (const { name, kind } of files) manifest += Buffer.byteLength(name) + kind.length + 150;
  const text = 700 + labels + Buffer.byteLength(record.createdBy);
  return {
    bundles: 1,
    memory: 1024 + 3 * text + files.length * 16 + Math.min(MOST_CACHED, manifest),
    disk: blocks(text) + blocks(manifest),
  };
}
