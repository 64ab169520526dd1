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
import { ArchiveFault, type ArchiveEntry } from "./archive-entry.ts";
import { entryPath } from "./entry-path.ts";
import { checkLinkTarget, type LinkRules } from "./link-target.ts";
import type { MadeLimit } from "./made-limit.ts";
import { NotADirectory, type OwnDirectories } from "./own-directories.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const writeLater = promisify(write);

/** From this size on, a chunk is written asynchronously, so that other work can go on. */
const LARGE = 64 * 1024;

/** A tree that is being written. */
export interface Tree {
  readonly directory: string;
  readonly directories: OwnDirectories;
  readonly made: MadeLimit;
  readonly links: LinkRules;
  readonly signal: AbortSignal;
}

/** Makes the file, directory or link of an entry, at a place that has been checked. */
export async function placeEntry(tree: Tree, entry: ArchiveEntry, segments: readonly string[]): Promise<void> {
  const { directory, directories, made, links } = tree;
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
  if (kind === "file") await writeFile(path, entry, tree.signal);
  else if (kind === "symbolic link") {
    checkLinkTarget(name, segments.slice(0, -1), target, links);
    once(name, () => symlinkSync(target, path));
  } else linkTo(tree, entry, path);
}

async function writeFile(path: string, entry: ArchiveEntry, signal: AbortSignal): Promise<void> {
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

function linkTo({ directory, directories }: Tree, entry: ArchiveEntry, path: string): void {
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

/**
 * Opens a new file, or replaces another file of the archive, as every unpacker does: `venv-pack` writes `pyvenv.cfg`
 * twice, and jars have licences twice. Anything except a regular file stays, and nothing is written through it.
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
