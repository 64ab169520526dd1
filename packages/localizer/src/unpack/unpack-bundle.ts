import { constants, lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { fileNameFault } from "@kindling/staging-client/protocol";
import { removeTree } from "../folders/remove-tree.ts";
import { ArchiveFault, type ArchiveEntry } from "./archive-entry.ts";
import { readArchive } from "./read-archive.ts";
import { faultOf, type UnpackOptions } from "./unpack-archive.ts";
import { unpackTree } from "./unpack-tree.ts";

const { O_RDONLY, O_NOFOLLOW } = constants;

// All names are kept in memory until the last one is known. Real lists of dependencies are far shorter.
const MOST_FILES = 10_000;

/**
 * Unpacks a bundle of the old fork (regular files without directories) into an existing directory. Files appear in it
 * only after the whole bundle has been read and found right.
 *
 * @param archive the path of the bundle
 * @param directory an open directory
 * @param workplace a directory on the same file system, made and removed here
 * @returns how many files there were
 * @throws LocalizerError `archive`, `disk`
 */
export async function unpackBundle(
  archive: string,
  directory: { readonly path: string; readonly shown: string },
  workplace: string,
  { limits, signal, redact }: UnpackOptions,
): Promise<number> {
  const file = await open(archive, O_RDONLY | O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    await removeTree(workplace, signal);
    mkdirSync(workplace, { mode: 0o700 });
    const entries = flatFiles(readArchive(file, size, limits, signal));
    const options = { limits, closed: [], signal, reserved: "", destination: directory.shown };
    const count = await unpackTree(workplace, entries, options);
    const names = readdirSync(workplace);
    for (const name of names) {
      if (lstatSync(`${directory.path}/${name}`, { throwIfNoEntry: false })?.isDirectory() === true) {
        throw new ArchiveFault((quoted) => `it has a file ${quoted(name)} where a directory is`);
      }
    }
    for (const name of names) renameSync(`${workplace}/${name}`, `${directory.path}/${name}`);
    return count;
  } catch (error) {
    throw faultOf(error, directory.shown, redact);
  } finally {
    await removeTree(workplace).catch(() => undefined);
    await file.close();
  }
}

/** Passes on regular files with names that every system allows, and refuses the bundle for anything else. */
async function* flatFiles(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry, void, undefined> {
  // On some file systems, names that differ only in case are the same.
  const folded = new Set<string>();
  for await (const entry of entries) {
    const { name, kind } = entry;
    if (folded.size === MOST_FILES) throw new ArchiveFault(`it has more than ${MOST_FILES} files`);
    if (kind !== "file") {
      const what = typeof kind === "string" ? `a ${kind}` : kind.refused;
      throw new ArchiveFault((quoted) => `it has an entry ${quoted(name)} that is ${what}, and no regular file`);
    }
    const fault = name.includes("/") ? "it is in a directory" : fileNameFault(name);
    if (fault !== undefined) throw new ArchiveFault((quoted) => `it has an entry ${quoted(name)}: ${fault}`);
    if (folded.has(name.toLowerCase()))
      throw new ArchiveFault((quoted) => `it has two entries ${quoted(name)}, or names that differ only in case`);
    folded.add(name.toLowerCase());
    // The fork's archives have no useful permissions.
    yield { ...entry, mode: 0o644 };
  }
}
