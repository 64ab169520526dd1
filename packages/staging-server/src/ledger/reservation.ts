import type { Digest } from "@kindling/staging-client";
import type { FreeSpace } from "./free-space.ts";
import type { Charge } from "./ledger.ts";

/** Room that is reserved for bytes that will still come. */
export interface Reservation {
  /** This many of the bytes have been written, and the disk need not reserve room for them any more. */
  written(bytes: number): void;
  /** For a body whose length is not announced: this much more, if there is room. */
  grow(bytes: number): Promise<void>;
  /** Charges a namespace that was not known at first. */
  charge(namespace: string): void;
  /** The bytes have become a blob, which counts for the namespace until its bundle does. */
  settle(digest: Digest, bytes: number): void;
  release(): void;
}

export interface ReservationContext {
  readonly space: FreeSpace;
  /** Enters bytes that will come into the ledger. */
  readonly enter: (namespace: string, bytes: number, digest: Digest | undefined) => Pick<Charge, "raise" | "release">;
  /** The bytes have become a blob that no bundle has yet. */
  readonly noteUncommitted: (namespace: string, digest: Digest, bytes: number) => void;
}

export async function reserve(
  { space, enter, noteUncommitted }: ReservationContext,
  namespace: string | undefined,
  bytes: number,
  digest: Digest | undefined,
): Promise<Reservation> {
  const available = await space.freeBytes();
  // From here to the entry into the ledger no other code runs, so that the same room is not promised twice.
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
