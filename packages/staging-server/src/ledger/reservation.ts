import type { Digest } from "@kindling/staging-client";
import type { FreeSpace } from "./free-space.ts";
import type { Charge } from "./ledger.ts";

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

export interface ReservationContext {
  readonly space: FreeSpace;
  /** Enters bytes that are to come into the ledger. */
  readonly enter: (namespace: string, bytes: number, digest: Digest | undefined) => Pick<Charge, "raise" | "release">;
  /** The bytes have become a blob that is of no bundle yet. */
  readonly noteUncommitted: (namespace: string, digest: Digest, bytes: number) => void;
}

export async function reserve(
  { space, enter, noteUncommitted }: ReservationContext,
  namespace: string | undefined,
  bytes: number,
  digest: Digest | undefined,
): Promise<Reservation> {
  const available = await space.freeBytes();
  // From here to the entry into the book nothing else runs, so that no two can be promised the same room.
  space.check(available, bytes);
  let charged = namespace;
  let charge = charged === undefined ? undefined : enter(charged, bytes, digest);
  let all = bytes;
  const promised = space.promise(bytes);
  const release = (): void => {
    if (space.giveBack(promised)) charge?.release();
  };
  return {
    written(count) {
      promised.unwritten = Math.max(0, promised.unwritten - count);
    },
    async grow(count) {
      space.check(await space.freeBytes(), count);
      charge?.raise({ disk: count });
      all += count;
      promised.unwritten += count;
    },
    charge(owner) {
      charge = enter(owner, all, undefined);
      charged = owner;
    },
    settle(digest, size) {
      release();
      if (charged !== undefined) noteUncommitted(charged, digest, size);
    },
    release,
  };
}
