import type { Digest } from "@kindling/staging-client";
import { ChargedBlobs } from "./charged-blobs.ts";
import { freeSpace, type FreeSpaceOptions } from "./free-space.ts";
import type { Ledger } from "./ledger.ts";
import { reserve, type Reservation, type ReservationContext } from "./reservation.ts";
import { blobOf, blocks, leftoverOf } from "./weights.ts";

export interface CapacityOptions extends FreeSpaceOptions {
  readonly ledger: Ledger;
  /** The size of a blob that a namespace's bundles have, which is counted already; `undefined` for any other blob. */
  readonly sizeOf: (namespace: string, digest: Digest) => number | undefined;
  readonly hasQuota: (namespace: string) => boolean;
}

/**
 * Decides whether there is room before a byte is accepted: a refusal at once is better than a failure at 97 %. With
 * several servers, each one counts only its own open uploads, so the open uploads of the others may exceed a quota.
 */
export interface Capacity {
  /**
   * @param digest of the blob that the bytes will become, if known
   * @throws ProblemError `no-space`, `quota-exceeded`, `limit-reached`
   */
  reserve(namespace: string | undefined, bytes: number, digest?: Digest): Promise<Reservation>;
  /** Whether the volume has room for a document. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** A blob that the namespace has uploaded, found at the start. */
  noteUncommitted(namespace: string, digest: Digest, bytes: number): void;
  /** Whether a blob counts for a namespace although none of its bundles has it. */
  isUncommitted(namespace: string, digest: Digest): boolean;
  /** A bundle of the namespace now counts for these. */
  committed(namespace: string, digests: Iterable<Digest>): void;
  /** Blobs that count for a namespace although none of its bundles has them. */
  ofNoBundle(): ReadonlySet<Digest>;
  /** These blobs have been deleted. */
  deleted(digests: Iterable<Digest>): void;
  /** The last bundle of the namespace that had a blob is gone; the blob itself is there until it is collected. */
  leftBehind(namespace: string, digest: Digest, bytes: number): void;
  /**
   * Blobs for which `keeps` returns false no longer count for that namespace.
   *
   * @param keeps gets the time since they were entered, in seconds
   */
  forgetUnless(keeps: (namespace: string, digest: Digest, seconds: number) => boolean): void;
  /** How many bytes all reservations still hold. */
  reservedBytes(): number;
}

export function capacity(options: CapacityOptions): Capacity {
  const { ledger, sizeOf, hasQuota, clock } = options;
  const space = freeSpace(options);
  // Uploaded blobs that no bundle has yet.
  const uncommitted = new ChargedBlobs();
  // Blobs of deleted bundles that are not collected yet.
  const leftovers = new ChargedBlobs();

  function noteUncommitted(namespace: string, digest: Digest, bytes: number): void {
    leftovers.drop(namespace, digest);
    if (uncommitted.has(namespace, digest) || sizeOf(namespace, digest) !== undefined) return;
    uncommitted.enter(namespace, digest, { charge: ledger.note(namespace, blobOf(bytes)), at: clock.monotonic() });
  }

  const reservations = { space, enter: expectedBytes(options), noteUncommitted };
  return {
    reserve: (namespace, bytes, digest) => reserve(reservations, namespace, bytes, digest),
    hasRoomFor: (bytes) => space.takeFor(bytes),
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
    reservedBytes: () => space.promisedBytes(),
  };
}

/**
 * Enters bytes that will come. A blob that bundles of the namespace have is counted already: it is sent again only
 * because it was damaged. If several clients send the same blob at a time, this is so for one of them.
 */
function expectedBytes({ ledger, sizeOf }: CapacityOptions): ReservationContext["enter"] {
  // Damaged blobs that are being sent again, by namespace and digest.
  const again = new Set<string>();
  return (namespace, bytes, digest) => {
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
  };
}
