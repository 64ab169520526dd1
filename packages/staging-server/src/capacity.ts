import type { Clock, Digest } from "@kindling/staging-client";
import { ChargedBlobs } from "./charged-blobs.ts";
import { blobOf, blocks, leftoverOf } from "./ledger/weights.ts";
import type { Ledger } from "./ledger/ledger.ts";
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
  settle(digest: Digest, bytes: number): void;
  release(): void;
}

export interface CapacityOptions {
  readonly store: Pick<BlobStore, "freeBytes">;
  readonly ledger: Ledger;
  /** Whether a namespace's bundles have a blob, so that it counts already. */
  readonly has: (namespace: string, digest: Digest) => boolean;
  readonly hasQuota: (namespace: string) => boolean;
  /** Bytes to be left free on the store's volume. */
  readonly minFreeBytes: number;
  readonly clock: Clock;
}

/**
 * Decides whether there is room, before a byte is accepted: refusing at once is kinder than failing at 97 %. With
 * several servers each one counts its own open uploads only, so a quota may be overdrawn by what the others have open.
 */
export interface Capacity {
  /** @throws ProblemError `no-space`, `quota-exceeded`, `limit-reached` */
  reserve(namespace: string | undefined, bytes: number): Promise<Reservation>;
  /** Whether the volume has room for a document. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** A blob that the namespace has uploaded, found at the start. */
  noteUncommitted(namespace: string, digest: Digest, bytes: number): void;
  /** Whether a blob counts for a namespace without being of one of its bundles. */
  isUncommitted(namespace: string, digest: Digest): boolean;
  /** A bundle of the namespace now counts for these. */
  committed(namespace: string, digests: Iterable<Digest>): void;
  /** These blobs are no more. */
  deleted(digests: Iterable<Digest>): void;
  /** The last bundle of the namespace that had a blob is gone; the blob itself is there until it is collected. */
  leftBehind(namespace: string, digest: Digest, bytes: number): void;
  /**
   * Blobs for which `keeps` says no are no longer kept on account of that namespace.
   *
   * @param keeps is told for how long they have been, in seconds
   */
  forgetUnless(keeps: (namespace: string, digest: Digest, seconds: number) => boolean): void;
  /** What all reservations still set aside. */
  reservedBytes(): number;
}

const FREE_BYTES_FOR_MS = 1_000;

export function capacity(options: CapacityOptions): Capacity {
  const { store, ledger, has, hasQuota, minFreeBytes, clock } = options;
  const open = new Set<{ unwritten: number }>();
  // Uploaded, but of no bundle yet.
  const uncommitted = new ChargedBlobs();
  // Of bundles that are gone, but not collected yet.
  const leftovers = new ChargedBlobs();
  let free: { readonly at: number; readonly bytes: Promise<number | undefined> } | undefined;
  // What documents have taken since the last look.
  let taken = 0;

  function freeBytes(): Promise<number | undefined> {
    const now = clock.monotonic();
    if (free === undefined || now - free.at > FREE_BYTES_FOR_MS) {
      free = { at: now, bytes: store.freeBytes() };
      taken = 0;
    }
    return free.bytes;
  }

  function reservedBytes(): number {
    let sum = 0;
    for (const { unwritten } of open) sum += unwritten;
    return sum;
  }

  function fits(available: number | undefined, bytes: number): boolean {
    return available === undefined || available - taken - minFreeBytes - reservedBytes() >= bytes;
  }

  function checkDisk(available: number | undefined, bytes: number): void {
    if (fits(available, bytes)) return;
    throw new ProblemError("no-space", `the staging server has no room for ${bytes} more bytes`);
  }

  function noteUncommitted(namespace: string, digest: Digest, bytes: number): void {
    leftovers.drop(namespace, digest);
    if (uncommitted.has(namespace, digest) || has(namespace, digest)) return;
    uncommitted.enter(namespace, digest, { charge: ledger.note(namespace, blobOf(bytes)), at: clock.monotonic() });
  }

  return {
    async reserve(namespace, bytes) {
      const available = await freeBytes();
      // From here to the entry into the book nothing else runs, so that no two can be promised the same room.
      checkDisk(available, bytes);
      let charged = namespace;
      let charge = charged === undefined ? undefined : ledger.take(charged, { disk: blocks(bytes) });
      const mine = { bytes, unwritten: bytes };
      open.add(mine);
      const release = (): void => {
        open.delete(mine);
        charge?.release();
      };
      return {
        written(count) {
          mine.unwritten = Math.max(0, mine.unwritten - count);
        },
        async grow(count) {
          checkDisk(await freeBytes(), count);
          charge?.raise({ disk: count });
          mine.bytes += count;
          mine.unwritten += count;
        },
        charge(owner) {
          charge = ledger.take(owner, { disk: blocks(mine.bytes) });
          charged = owner;
        },
        settle(digest, size) {
          release();
          if (charged !== undefined) noteUncommitted(charged, digest, size);
        },
        release,
      };
    },
    async hasRoomFor(bytes) {
      if (!fits(await freeBytes(), blocks(bytes))) return false;
      taken += blocks(bytes);
      return true;
    },
    noteUncommitted,
    isUncommitted: (namespace, digest) => uncommitted.has(namespace, digest),
    committed(namespace, digests) {
      for (const digest of digests) for (const blobs of [uncommitted, leftovers]) blobs.drop(namespace, digest);
    },
    deleted(digests) {
      for (const digest of digests) for (const blobs of [uncommitted, leftovers]) blobs.dropForAll(digest);
    },
    leftBehind(namespace, digest, bytes) {
      if (!hasQuota(namespace) || uncommitted.has(namespace, digest)) return;
      leftovers.enter(namespace, digest, { charge: ledger.note(namespace, leftoverOf(bytes)), at: clock.monotonic() });
    },
    forgetUnless(keeps) {
      const now = clock.monotonic();
      for (const blobs of [uncommitted, leftovers]) {
        blobs.dropUnless((namespace, digest, at) => keeps(namespace, digest, (now - at) / 1000));
      }
    },
    reservedBytes,
  };
}
