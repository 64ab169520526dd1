import { constants, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { fileNameFault } from "@kindling/staging-client/protocol";
import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault, type ArchiveEntry } from "./archive-entry.ts";
import { shown } from "./entry-path.ts";
import { readArchive } from "./read-archive.ts";
import { faultOf } from "./unpack-archive.ts";
import { unpackTree } from "./unpack-tree.ts";

const { O_RDONLY, O_NOFOLLOW } = constants;

export interface UnpackBundleOptions {
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/**
 * Unpacks a bundle of the old fork, regular files without directories, into a directory that is there already. Nothing
 * appears in it before the whole bundle has been read and found right.
 *
 * @param archive the path of the bundle
 * @param directory held open
 * @param workplace a directory on the same file system, made and removed here
 * @returns how many files there were
 * @throws LocalizerError `archive`, `disk`
 */
export async function unpackBundle(
  archive: string,
  directory: { readonly path: string; readonly shown: string },
  workplace: string,
  { limits, signal }: UnpackBundleOptions,
): Promise<number> {
  const file = await open(archive, O_RDONLY | O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    rmSync(workplace, { recursive: true, force: true });
    mkdirSync(workplace, { mode: 0o700 });
    const entries = flatFiles(readArchive(file, size, limits));
    const count = await unpackTree(workplace, entries, { limits, signal, reserved: "" });
    const names = readdirSync(workplace);
    for (const name of names) {
      if (lstatSync(`${directory.path}/${name}`, { throwIfNoEntry: false })?.isDirectory() === true) {
        throw new ArchiveFault(`it has a file ${shown(name)} where a directory is`);
      }
    }
    for (const name of names) renameSync(`${workplace}/${name}`, `${directory.path}/${name}`);
    return count;
  } catch (error) {
    throw faultOf(error, directory.shown);
  } finally {
    rmSync(workplace, { recursive: true, force: true });
    await file.close();
  }
}

/** Passes regular files on whose names are fit for every system, and refuses the bundle for anything else. */
async function* flatFiles(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry, void, undefined> {
  // On some file systems, names that differ in case are one.
  const folded = new Set<string>();
  for await (const entry of entries) {
    const { name, kind } = entry;
    if (kind !== "file") {
      const what = typeof kind === "string" ? `a ${kind}` : kind.refused;
      throw new ArchiveFault(`it has an entry ${shown(name)} that is ${what}, and no regular file`);
    }
    const fault = name.includes("/") ? "it is in a directory" : fileNameFault(name);
    if (fault !== undefined) throw new ArchiveFault(`it has an entry ${shown(name)}: ${fault}`);
    if (folded.has(name.toLowerCase()))
      throw new ArchiveFault(`it has two entries ${shown(name)}, or equal but for case`);
    folded.add(name.toLowerCase());
    // The fork's archives say nothing of use about permissions.
    yield { ...entry, mode: 0o644 };
  }
}
