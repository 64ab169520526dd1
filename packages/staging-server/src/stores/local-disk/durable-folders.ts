import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Renames a file into a folder, which may have to be made first. */
export async function moveInto(folder: string, from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncDirectory(dirname(folder));
    await rename(from, to);
  }
}

/** Flushes a directory, so that names made or removed in it survive a loss of power. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
