import {
  closeSync,
  constants,
  fchmodSync,
  linkSync,
  lstatSync,
  openSync,
  symlinkSync,
  unlinkSync,
  write,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault, type ArchiveEntry } from "./archive-entry.ts";
import { checkPlace, entryPath } from "./entry-path.ts";
import { checkLinkTarget } from "./link-target.ts";
import { madeLimit } from "./made-limit.ts";
import { NotADirectory, ownDirectories } from "./own-directories.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const writeLater = promisify(write);

/** From this size on, a chunk is written without holding everything else up. */
const LARGE = 64 * 1024;

export interface UnpackTreeOptions {
  readonly limits: Limits;
  /** Where no link may lead, whatever `limits` allows. */
  readonly closed: readonly string[];
  /** A name at the top that no entry may have. */
  readonly reserved: string;
  /** Where the directory will be in the end. */
  readonly destination: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the entries of an archive into a directory that is empty and nobody else's. Nothing is ever written through a
 * link: an entry's directories are those that this made itself. Permission bits are kept, without set-id and sticky bits,
 * but what Spark is to read can be read by everybody: it may run as another user than the init container. Owners and
 * times are not kept. Memory does not grow with the number of entries.
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
    if (segments.length > 0) await place(entry, segments);
    else if (entry.kind !== "directory") {
      throw new ArchiveFault((quoted) => `it has an entry ${quoted(entry.name)} that is no directory`);
    }
    // An entry counts, too, where what it names is there already: an archive might have any number of those.
    if (made.count === before) made.add();
  }
  return count;

  async function place(entry: ArchiveEntry, segments: readonly string[]): Promise<void> {
    const { name, kind, mode, target } = entry;
    if (typeof kind === "object")
      throw new ArchiveFault((quoted) => `it has an entry ${quoted(name)} that is ${kind.refused}`);
    if (kind === "directory") {
      once(name, () => directories.make(segments, mode));
      return;
    }
    const parent = once(name, () => directories.make(segments.slice(0, -1)));
    const path = `${directory}${parent}/${segments.at(-1)}`;
    made.add();
    if (kind === "file") await writeFile(path, entry);
    else if (kind === "symbolic link") {
      checkLinkTarget(name, segments.slice(0, -1), target, { allowed: limits.absoluteLinks, closed });
      once(name, () => symlinkSync(target, path));
    } else linkTo(entry, path);
  }

  async function writeFile(path: string, entry: ArchiveEntry): Promise<void> {
    const file = once(entry.name, () => openNew(path));
    try {
      for await (const chunk of entry.content()) {
        for (let done = 0; done < chunk.length;) {
          const rest = done === 0 ? chunk : chunk.subarray(done);
          done += rest.length < LARGE ? writeSync(file, rest) : (await writeLater(file, rest)).bytesWritten;
        }
        signal.throwIfAborted();
      }
      const executable = (entry.mode & 0o111) !== 0;
      fchmodSync(file, (entry.mode & 0o777) | (executable ? 0o555 : 0o444));
    } finally {
      closeSync(file);
    }
  }

  function linkTo(entry: ArchiveEntry, path: string): void {
    const target = entryPath(entry.target);
    const parent = directories.find(target.slice(0, -1));
    const existing = `${directory}${parent}/${target.at(-1)}`;
    const stats =
      parent === undefined || target.length === 0 ? undefined : lstatSync(existing, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) {
      throw new ArchiveFault(
        (quoted) =>
          `its hard link ${quoted(entry.name)} leads to ${quoted(entry.target)}, which is no earlier file of it`,
      );
    }
    once(entry.name, () => linkSync(existing, path));
  }

  /** Makes something that must not be there yet. */
  function once<T>(name: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST" || error instanceof NotADirectory) {
        throw new ArchiveFault((quoted) => `it has an entry ${quoted(name)} where another one is already`);
      }
      throw error;
    }
  }
}

/**
 * Opens a file that was not there, or takes the place of another file of the archive, as with every unpacker: `venv-pack`
 * writes `pyvenv.cfg` twice, and jars have licences twice. What is no regular file stays, and nothing is written through it.
 */
function openNew(path: string): number {
  const open = (): number => openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    return open();
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw error;
    unlinkSync(path);
    return open();
  }
}
