import type { Clock } from "@kindling/outside";
import { ProblemError } from "../errors/problem-error.ts";
import type { BlobStore } from "../stores/blob-store.ts";
import { blocks } from "./weights.ts";

/** Bytes of the volume that are reserved for data that is not written yet. */
export interface Promised {
  unwritten: number;
}

/** The free space on the store's volume. */
export interface FreeSpace {
  /** As of a moment ago; `undefined` if the store has no limit. */
  freeBytes(): Promise<number | undefined>;
  /** @throws ProblemError `no-space` */
  check(free: number | undefined, bytes: number): void;
  promise(bytes: number): Promised;
  /** @returns `false` if it was given back before */
  giveBack(promised: Promised): boolean;
  /** Whether the volume has room for a document; if so, it is taken. */
  takeFor(bytes: number): Promise<boolean>;
  promisedBytes(): number;
}

export interface FreeSpaceOptions {
  readonly store: Pick<BlobStore, "freeBytes">;
  /** Bytes that must stay free on the store's volume. */
  readonly minFreeBytes: number;
  readonly clock: Clock;
}

const FREE_BYTES_FOR_MS = 1_000;

export function freeSpace({ store, minFreeBytes, clock }: FreeSpaceOptions): FreeSpace {
  const open = new Set<Promised>();
  let free: { readonly at: number; readonly bytes: Promise<number | undefined> } | undefined;
  // What documents have taken since the last check.
  let taken = 0;

  function freeBytes(): Promise<number | undefined> {
    const now = clock.monotonic();
    if (free === undefined || now - free.at > FREE_BYTES_FOR_MS) {
      free = { at: now, bytes: store.freeBytes() };
      taken = 0;
    }
    return free.bytes;
  }

  function promisedBytes(): number {
    let sum = 0;
    for (const { unwritten } of open) sum += unwritten;
    return sum;
  }

  function fits(available: number | undefined, bytes: number): boolean {
    return available === undefined || available - taken - minFreeBytes - promisedBytes() >= bytes;
  }

  return {
    freeBytes,
    check(available, bytes) {
      if (fits(available, bytes)) return;
      throw new ProblemError("no-space", `the staging server has no room for ${bytes} more bytes`);
    },
    promise(bytes) {
      const promised = { unwritten: bytes };
      open.add(promised);
      return promised;
    },
    giveBack: (promised) => open.delete(promised),
    async takeFor(bytes) {
      if (!fits(await freeBytes(), blocks(bytes))) return false;
      taken += blocks(bytes);
      return true;
    },
    promisedBytes,
  };
}
