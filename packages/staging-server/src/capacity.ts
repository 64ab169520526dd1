import type { Clock } from "@kindling/staging-client";
import type { BundleIndex } from "./bundle-index.ts";
import { ProblemError } from "./problem-error.ts";
import type { BlobStore } from "./stores/blob-store.ts";

/** Room that is set aside for bytes which are still to come. */
export interface Reservation {
  /** So many of the bytes have been written, and no longer need to be set aside on the disk. */
  written(bytes: number): void;
  /** For a body whose length nobody announced: as much again, if there is room. */
  grow(bytes: number): Promise<void>;
  /** Charges a namespace that was not known at first. */
  charge(namespace: string): void;
  /** The bytes have become a blob, which counts for the namespace until its bundle does. */
  settle(digest: string, bytes: number): void;
  release(): void;
}

export interface CapacityOptions {
  readonly store: BlobStore;
  readonly index: BundleIndex;
  /** In bytes; `undefined` for no limit. */
  readonly quotaOf: (namespace: string) => number | undefined;
  /** Bytes to be left free on the store's volume. */
  readonly minFreeBytes: number;
  readonly clock: Clock;
}

/**
 * Decides whether there is room, before a byte is accepted: refusing at once is kinder than failing at 97 %. With
 * several servers each one counts its own open uploads only, so a quota may be overdrawn by what the others have open.
 */
export interface Capacity {
  /** @throws ProblemError `no-space`, `quota-exceeded` */
  reserve(namespace: string | undefined, bytes: number): Promise<Reservation>;
  /** A bundle of the namespace now counts for these. */
  committed(namespace: string, digests: Iterable<string>): void;
  /** These blobs are no more. */
  deleted(digests: Iterable<string>): void;
  /** What all reservations still set aside. */
  reservedBytes(): number;
}

const FREE_BYTES_FOR_MS = 1_000;

export function capacity(options: CapacityOptions): Capacity {
  const { store, index, quotaOf, minFreeBytes, clock } = options;
  const open = new Set<{ namespace: string | undefined; bytes: number; unwritten: number }>();
  // Blobs that were uploaded, but are of no bundle yet, by namespace.
  const uncommitted = new Map<string, Map<string, number>>();
  let free: { readonly at: number; readonly bytes: Promise<number | undefined> } | undefined;

  function freeBytes(): Promise<number | undefined> {
    const now = clock.monotonic();
    if (free === undefined || now - free.at > FREE_BYTES_FOR_MS) free = { at: now, bytes: store.freeBytes() };
    return free.bytes;
  }

  function reservedBytes(): number {
    let sum = 0;
    for (const { unwritten } of open) sum += unwritten;
    return sum;
  }

  function checkDisk(available: number | undefined, bytes: number): void {
    if (available === undefined || available - minFreeBytes - reservedBytes() >= bytes) return;
    throw new ProblemError("no-space", `the staging server has no room for ${bytes} more bytes`);
  }

  function checkQuota(namespace: string, bytes: number): void {
    const quota = quotaOf(namespace);
    if (quota === undefined) return;
    let used = index.namespaces().get(namespace)?.bytes ?? 0;
    for (const size of uncommitted.get(namespace)?.values() ?? []) used += size;
    for (const other of open) if (other.namespace === namespace) used += other.bytes;
    if (used + bytes <= quota) return;
    const detail = `namespace ${namespace} may hold ${quota} bytes; ${used} are used or promised, ${bytes} more were asked for`;
    throw new ProblemError("quota-exceeded", detail);
  }

  function forget(namespace: string, digest: string): void {
    const blobs = uncommitted.get(namespace);
    blobs?.delete(digest);
    if (blobs?.size === 0) uncommitted.delete(namespace);
  }

  return {
    async reserve(namespace, bytes) {
      const available = await freeBytes();
      // From here to the entry into the book nothing else runs, so that no two can be promised the same room.
      if (namespace !== undefined) checkQuota(namespace, bytes);
      checkDisk(available, bytes);
      const mine = { namespace, bytes, unwritten: bytes };
      open.add(mine);
      return {
        written(count) {
          mine.unwritten = Math.max(0, mine.unwritten - count);
        },
        async grow(count) {
          const available = await freeBytes();
          if (mine.namespace !== undefined) checkQuota(mine.namespace, count);
          checkDisk(available, count);
          mine.bytes += count;
          mine.unwritten += count;
        },
        charge(owner) {
          checkQuota(owner, mine.bytes);
          mine.namespace = owner;
        },
        settle(digest, size) {
          open.delete(mine);
          if (mine.namespace === undefined) return;
          const blobs = uncommitted.get(mine.namespace) ?? new Map<string, number>();
          uncommitted.set(mine.namespace, blobs.set(digest, size));
        },
        release: () => void open.delete(mine),
      };
    },
    committed(namespace, digests) {
      for (const digest of digests) forget(namespace, digest);
    },
    deleted(digests) {
      for (const digest of digests) for (const namespace of uncommitted.keys()) forget(namespace, digest);
    },
    reservedBytes,
  };
}
