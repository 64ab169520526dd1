import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@kindling/outside";

const PERIOD = 2000;
/** The size of the blocks that `stat` counts, whatever those of the file system are. */
const BLOCK = 512;

/** A folder that may not hold more than so many bytes. */
export interface LimitedFolder {
  readonly path: string;
  readonly limit: number;
  readonly onExceeded: () => void;
}

/** Looks now and then how much folders hold. Returns the way to stop. */
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

/** How much space a folder takes, with all in it. What goes away meanwhile takes none. */
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
