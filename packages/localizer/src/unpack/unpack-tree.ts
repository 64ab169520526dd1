import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault, type ArchiveEntry } from "./archive-entry.ts";
import { checkPlace, entryPath } from "./entry-path.ts";
import { madeLimit } from "./made-limit.ts";
import { ownDirectories } from "./own-directories.ts";
import { placeEntry, type Tree } from "./place-entry.ts";

export interface UnpackTreeOptions {
  readonly limits: Limits;
  /** Where no link may lead, whatever `limits` allows. */
  readonly closed: readonly string[];
  /** A name at the top that no entry may have. */
  readonly reserved: string;
  /** The final place of the directory. */
  readonly destination: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the entries of an archive into an empty directory that only this process uses. Nothing is ever written through a
 * link: entries go only into directories that this function made itself. Permission bits are kept, without set-id and
 * sticky bits, but everybody can read the files: Spark may run as another user than the init container. Owners and times
 * are not kept. Memory does not grow with the number of entries.
 *
 * @returns how many entries there were
 * @throws ArchiveFault, or an error of the file system
 */
export async function unpackTree(
  directory: string,
  entries: AsyncIterable<ArchiveEntry>,
  { limits, closed, reserved, destination, signal }: UnpackTreeOptions,
): Promise<number> {
  const made = madeLimit(limits);
  const directories = ownDirectories(directory, made);
  const tree: Tree = { directory, directories, made, links: { allowed: limits.absoluteLinks, closed }, signal };
  const prefix = Math.max(Buffer.byteLength(directory), Buffer.byteLength(destination)) + 1;
  let count = 0;
  // The directory itself.
  made.add();
  for await (const entry of entries) {
    signal.throwIfAborted();
    count++;
    const before = made.count;
    const segments = entryPath(entry.name);
    checkPlace(entry.name, segments, prefix, limits);
    if (segments[0] === reserved) throw new ArchiveFault(`it has an entry ${reserved}, a name that is reserved`);
    if (segments.length > 0) await placeEntry(tree, entry, segments);
    else if (entry.kind !== "directory") {
      throw new ArchiveFault((quoted) => `it has an entry ${quoted(entry.name)} that is no directory`);
    }
    // An entry counts even if it makes nothing new: an archive might have any number of such entries.
    if (made.count === before) made.add();
  }
  return count;
}
