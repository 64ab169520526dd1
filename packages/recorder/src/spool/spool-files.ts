import { open, readdir, rename, writeFile } from "node:fs/promises";

/** The names of the folders in a folder; none if there is no such folder. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Shortens a file to a length, if it is there and longer. */
export async function cut(path: string, length: number): Promise<void> {
  let file;
  try {
    file = await open(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    const { size } = await file.stat();
    if (size > length) await file.truncate(length);
  } finally {
    await file.close();
  }
}

/** Lines at the end of a file are searched in so many bytes: enough for two thousand of them. */
export const TAIL_BYTES: number = 1024 * 1024;

/** Drops the beginning of a file that is longer than this. */
export async function keepEnd(path: string, bytes: number): Promise<void> {
  const file = await open(path, "r");
  const content = Buffer.alloc(bytes);
  try {
    const { size } = await file.stat();
    if (size <= bytes) return;
    await file.read(content, 0, bytes, size - bytes);
  } finally {
    await file.close();
  }
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/**
 * The last lines of a file; none if there is no such file.
 *
 * @param length how much of it counts; default: all
 */
export async function lastLines(path: string, length: number | undefined, count: number): Promise<readonly string[]> {
  let file;
  try {
    file = await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  try {
    const end = Math.min(length ?? Infinity, (await file.stat()).size);
    const start = Math.max(0, end - TAIL_BYTES);
    const content = Buffer.alloc(end - start);
    await file.read(content, 0, content.length, start);
    const lines = content.toString("utf8").split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines.slice(-count);
  } finally {
    await file.close();
  }
}
