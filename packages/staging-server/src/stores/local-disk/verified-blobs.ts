import type { Stats } from "node:fs";
import type { Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { weightedCache } from "../../memory/weighted-cache.ts";

/** The files whose bytes this process has verified, with their state at that time. */
export interface VerifiedBlobs {
  remember(digest: Digest, stats: Stats): void;
  forget(digest: Digest): void;
  /** Whether a blob's file is still the verified one, as far as this can be seen without reading it. */
  isSame(digest: Digest, stats: Stats): boolean;
  /** The same, and the verification was not long ago. */
  isRecent(digest: Digest, stats: Stats): boolean;
}

// If a blob is sent again within this time after it was verified, it is not written again.
const RECENT_MS = 3_600_000;
const MOST_REMEMBERED = 20_000;

interface Verified {
  readonly inode: number;
  readonly size: number;
  /** Any change of the file changes this. */
  readonly changed: number;
  readonly at: number;
}

export function verifiedBlobs(clock: Clock): VerifiedBlobs {
  const known = weightedCache<Verified>(MOST_REMEMBERED);
  const same = (digest: Digest, { ino, size, ctimeMs }: Stats): Verified | undefined => {
    const found = known.get(digest);
    return found?.inode === ino && found.size === size && found.changed === ctimeMs ? found : undefined;
  };
  return {
    remember(digest, { ino: inode, size, ctimeMs: changed }) {
      known.set(digest, { inode, size, changed, at: clock.monotonic() }, 1);
    },
    forget: (digest) => known.delete(digest),
    isSame: (digest, stats) => same(digest, stats) !== undefined,
    isRecent(digest, stats) {
      const found = same(digest, stats);
      return found !== undefined && clock.monotonic() - found.at < RECENT_MS;
    },
  };
}
