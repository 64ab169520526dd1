import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Flushes folders, so that new and removed names in them survive a loss of power. */
export interface DurableFolders {
  /** Flushes a folder's own name at its first use: if the name is lost, the folder's contents are lost. */
  keep(folder: string): Promise<void>;
  /** Flushes a folder, and its own name. */
  sync(folder: string): Promise<void>;
  /** Says that these folders were there before, and are on disk. */
  areDurable(folders: readonly string[]): void;
}

/** @param root the folder above all of them; its own name is flushed elsewhere */
export function durableFolders(root: string): DurableFolders {
  const durable = new Set([root]);

  async function keep(folder: string): Promise<void> {
    if (durable.has(folder)) return;
    const parent = dirname(folder);
    await keep(parent);
    await syncDirectory(parent);
    // Only after the flush: if that failed, the next call tries it again.
    durable.add(folder);
  }

  return {
    keep,
    async sync(folder) {
      await keep(folder);
      await syncDirectory(folder);
    },
    areDurable(folders) {
      for (const folder of folders) durable.add(folder);
    },
  };
}

/** Flushes one directory. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Renames a file into a folder, which may have to be made first. */
export async function moveInto(folder: string, from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(from, to);
  }
}
