import { constants, lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { fileNameFault } from "@kindling/staging-client/protocol";
import { removeTree } from "../write/remove-tree.ts";
import { ArchiveFault, type ArchiveEntry } from "./archive-entry.ts";
import { readArchive } from "./read-archive.ts";
import { faultOf, type UnpackOptions } from "./unpack-archive.ts";
import { unpackTree } from "./unpack-tree.ts";

const { O_RDONLY, O_NOFOLLOW } = constants;

// Their names are all kept in memory until the last one is known. A list of dependencies is far shorter.
const MOST_FILES = 10_000;

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

/** Passes regular files on whose names are fit for every system, and refuses the bundle for anything else. */
async function* flatFiles(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry, void, undefined> {
  // On some file systems, names that differ in case are one.
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
      throw new ArchiveFault((quoted) => `it has two entries ${quoted(name)}, or equal but for case`);
    folded.add(name.toLowerCase());
    // The fork's archives say nothing of use about permissions.
    yield { ...entry, mode: 0o644 };
  }
}
