import type { Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { ProblemError } from "../errors/problem-error.ts";
import type { BlobStore } from "../stores/blob-store.ts";
import { ChargedBlobs } from "./charged-blobs.ts";
import type { Charge, Ledger } from "./ledger.ts";
import { blobOf, blocks, leftoverOf } from "./weights.ts";

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
  /** The size of a blob that a namespace's bundles have, so that it counts already; `undefined` of any other. */
  readonly sizeOf: (namespace: string, digest: Digest) => number | undefined;
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
  /**
   * @param digest of the blob that the bytes are to become, where that is known
   * @throws ProblemError `no-space`, `quota-exceeded`, `limit-reached`
   */
  reserve(namespace: string | undefined, bytes: number, digest?: Digest): Promise<Reservation>;
  /** Whether the volume has room for a document. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** A blob that the namespace has uploaded, found at the start. */
  noteUncommitted(namespace: string, digest: Digest, bytes: number): void;
  /** Whether a blob counts for a namespace without being of one of its bundles. */
  isUncommitted(namespace: string, digest: Digest): boolean;
  /** A bundle of the namespace now counts for these. */
  committed(namespace: string, digests: Iterable<Digest>): void;
  /** Blobs that count for somebody without being of one of their bundles. */
  ofNoBundle(): ReadonlySet<Digest>;
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
  const { store, ledger, sizeOf, hasQuota, minFreeBytes, clock } = options;
  const open = new Set<{ unwritten: number }>();
  // Uploaded, but of no bundle yet.
  const uncommitted = new ChargedBlobs();
  // Of bundles that are gone, but not collected yet.
  const leftovers = new ChargedBlobs();
  // Damaged blobs that are being sent again, by namespace and digest.
  const again = new Set<string>();
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
    if (uncommitted.has(namespace, digest) || sizeOf(namespace, digest) !== undefined) return;
    uncommitted.enter(namespace, digest, { charge: ledger.note(namespace, blobOf(bytes)), at: clock.monotonic() });
  }

  /**
   * Enters bytes that are to come. Those of a blob that bundles of the namespace have are counted: whoever sends it has to
   * do so because it was damaged. Of several who send the same one at a time, one sends what is counted.
   */
  function enter(namespace: string, bytes: number, digest: Digest | undefined): Pick<Charge, "raise" | "release"> {
    const key = `${namespace} ${digest}`;
    const counted = digest === undefined ? undefined : sizeOf(namespace, digest);
    if (counted === undefined || bytes > counted || again.has(key))
      return ledger.take(namespace, { disk: blocks(bytes) });
    again.add(key);
    const more = ledger.note(namespace, {});
    return {
      raise: (amounts) => more.raise(amounts),
      release() {
        again.delete(key);
        more.release();
      },
    };
  }

  return {
    async reserve(namespace, bytes, digest) {
      const available = await freeBytes();
      // From here to the entry into the book nothing else runs, so that no two can be promised the same room.
      checkDisk(available, bytes);
      let charged = namespace;
      let charge = charged === undefined ? undefined : enter(charged, bytes, digest);
      const mine = { bytes, unwritten: bytes };
      open.add(mine);
      const release = (): void => {
        if (open.delete(mine)) charge?.release();
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
          charge = enter(owner, mine.bytes, undefined);
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
    ofNoBundle: () => new Set([...uncommitted.digests(), ...leftovers.digests()]),
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
