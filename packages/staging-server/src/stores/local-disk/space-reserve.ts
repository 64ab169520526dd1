import { randomBytes } from "node:crypto";
import { open, rename, stat, statfs, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** A file that is removed when the disk is full: before a deletion can free space, it has to be recorded. */
export interface SpaceReserve {
  /** Gives the room up. Never rejects. */
  giveUp(): Promise<void>;
  /** Reserves room again, if there is more than enough. Never rejects. */
  refill(): Promise<void>;
}

const RESERVED_BYTES = 256 * 1024;

export function spaceReserve(path: string): SpaceReserve {
  const ignore = (): undefined => undefined;

  async function fill(): Promise<void> {
    if ((await stat(path).catch(ignore)) !== undefined) return;
    const { bavail, bsize } = await statfs(dirname(path));
    if (bavail * bsize < 4 * RESERVED_BYTES) return;
    const fresh = `${path}.tmp`;
    try {
      const file = await open(fresh, "w", 0o600);
      try {
        // Some file systems reserve no room for zeros.
        await file.writeFile(randomBytes(RESERVED_BYTES));
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(fresh, path);
    } catch {
      await unlink(fresh).catch(ignore);
    }
  }

  return {
    giveUp: () => unlink(path).catch(ignore),
    refill: () => fill().catch(ignore),
  };
}
