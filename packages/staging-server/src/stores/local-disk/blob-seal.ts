import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/*
 * The permission bits and the time of a blob's file show that it is on disk for good, and that no write has changed it
 * since. They are set after the flush, and are part of the same inode, so they cannot be there without the bytes. Every
 * later write changes the time.
 */
const MODE = 0o440;
const UNSEALED_MODE = 0o600;
// In whole seconds, which every file system keeps: 2000-01-01.
const TIME_SECONDS = 946_684_800;

/** Puts the seal on a file whose bytes have been flushed. */
export async function putSeal(file: FileHandle): Promise<void> {
  await file.chmod(MODE);
  await file.utimes(TIME_SECONDS, TIME_SECONDS);
}

export async function takeSealOff(file: FileHandle): Promise<void> {
  await file.chmod(UNSEALED_MODE);
}

/** @param olderUntil the time until which an older version sealed files by their bits alone, in ms since the epoch */
export function isSealed({ mode, mtimeMs }: Pick<Stats, "mode" | "mtimeMs">, olderUntil: number): boolean {
  return (mode & 0o777) === MODE && (mtimeMs === TIME_SECONDS * 1000 || mtimeMs <= olderUntil);
}

/** Whether a file never had a seal. */
export function isFresh({ mode }: Pick<Stats, "mode">): boolean {
  return (mode & 0o777) === UNSEALED_MODE;
}
