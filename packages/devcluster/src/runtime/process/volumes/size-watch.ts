import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@kindling/outside";

const PERIOD = 2000;
/** The size of the blocks that `stat` counts, no matter which size the file system uses. */
const BLOCK = 512;

/** A folder with a limit in bytes. */
export interface LimitedFolder {
  readonly path: string;
  readonly limit: number;
  readonly onExceeded: () => void;
}

/** Checks periodically how much folders contain. Returns a function that stops this. */
export function watchSizes(clock: Clock, folders: readonly LimitedFolder[]): () => void {
  if (folders.length === 0) return () => undefined;
  let cancel = (): void => undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    for (const { path, limit, onExceeded } of folders) if ((await sizeOf(path)) > limit && !stopped) onExceeded();
    if (!stopped) schedule();
  };
  const schedule = (): void => {
    cancel = clock.after(PERIOD, () => void look());
  };
  schedule();
  return () => {
    stopped = true;
    cancel();
  };
}

/** The disk space of a folder with its content. Files that are removed meanwhile count as 0. */
async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) size += await sizeOf(path);
    else
      size += await lstat(path).then(
        ({ blocks }) => blocks * BLOCK,
        () => 0,
      );
  }
  return size;
}
