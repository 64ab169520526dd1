import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";

const SHUFFLE = /^shuffle_\d+_\d+_\d+\.(?:data|index|checksum\.[^/]+)$/;
const RDD = /^rdd_\d+_\d+$/;
/** `blockmgr-…/0e/shuffle_0_1_0.data` is two levels below a local directory. */
const DEEPEST = 4;

/** Whether a file is one that others may still fetch from a shuffle server. */
export function isServedFile(name: string, withRdds: boolean): boolean {
  return SHUFFLE.test(name) || (withRdds && RDD.test(name));
}

/**
 * Whether there is still a file below these directories that others may fetch. It stops at the first. Links are not followed.
 * A directory that is not there has none; one that cannot be read may have some.
 */
export async function hasServedFiles(directories: readonly string[], withRdds: boolean): Promise<boolean> {
  for (const directory of directories) if (await hasSome(directory, withRdds, DEEPEST)) return true;
  return false;
}

async function hasSome(directory: string, withRdds: boolean, levels: number): Promise<boolean> {
  const below: string[] = [];
  try {
    for await (const entry of await opendir(directory)) {
      if (entry.isFile() && isServedFile(entry.name, withRdds)) return true;
      if (isFolder(entry) && levels > 0) below.push(`${directory}/${entry.name}`);
    }
  } catch (error) {
    return !(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"));
  }
  for (const path of below) if (await hasSome(path, withRdds, levels - 1)) return true;
  return false;
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory();
}
