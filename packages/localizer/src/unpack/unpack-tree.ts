import {
  closeSync,
  constants,
  fchmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { write } from "node:fs";
import { promisify } from "node:util";
import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault, type ArchiveEntry } from "./archive-entry.ts";
import { checkLinkTarget, entryPath, shown } from "./entry-path.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const writeLater = promisify(write);

/** From this size on, a chunk is written without holding everything else up. */
const LARGE = 64 * 1024;

export interface UnpackTreeOptions {
  readonly limits: Limits;
  /** A name at the top that no entry may have. */
  readonly reserved: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the entries of an archive into a directory that is empty and nobody else's. Nothing is ever written through a
 * link: an entry's directories are those that this made itself. Permission bits are kept, without set-id and sticky bits,
 * but what Spark is to read can be read by everybody: it may run as another user than the init container. Owners and
 * times are not kept.
 *
 * @returns how many entries there were
 * @throws ArchiveFault, or an error of the file system
 */
export async function unpackTree(
  directory: string,
  entries: AsyncIterable<ArchiveEntry>,
  { limits, reserved, signal }: UnpackTreeOptions,
): Promise<number> {
  // Directories by their path below the top one, with the slash that goes before.
  const made = new Set<string>([""]);
  let count = 0;
  for await (const entry of entries) {
    signal.throwIfAborted();
    if (++count > limits.maxUnpackedFiles) {
      throw new ArchiveFault(`it has more than ${limits.maxUnpackedFiles} entries (limits.maxUnpackedFiles)`);
    }
    const segments = entryPath(entry.name);
    if (segments[0] === reserved) throw new ArchiveFault(`it has an entry ${reserved}, a name that is reserved`);
    if (segments.length === 0) {
      if (entry.kind !== "directory")
        throw new ArchiveFault(`it has an entry ${shown(entry.name)} that is no directory`);
      continue;
    }
    await place(entry, segments);
  }
  return count;

  async function place(entry: ArchiveEntry, segments: readonly string[]): Promise<void> {
    const parent = makeDirectories(segments.slice(0, -1), entry.name);
    const below = `${parent}/${segments.at(-1)}`;
    const path = directory + below;
    const { kind } = entry;
    if (kind === "directory") makeDirectory(below, entry.mode, entry.name);
    else if (kind === "file") await writeFile(path, entry);
    else if (kind === "symbolic link") {
      checkLinkTarget(entry.name, segments.slice(0, -1), entry.target, limits.absoluteLinks);
      once(entry.name, () => symlinkSync(entry.target, path));
    } else if (kind === "hard link") linkTo(entry, path);
    else throw new ArchiveFault(`it has an entry ${shown(entry.name)} that is ${kind.refused}`);
  }

  /** @returns the path of the last one, as in `made` */
  function makeDirectories(segments: readonly string[], name: string): string {
    const whole = segments.length === 0 ? "" : `/${segments.join("/")}`;
    if (made.has(whole)) return whole;
    let path = "";
    for (const segment of segments) {
      path = `${path}/${segment}`;
      if (!made.has(path)) makeDirectory(path, 0o755, name);
    }
    return whole;
  }

  function makeDirectory(below: string, mode: number, name: string): void {
    if (made.has(below)) return;
    // The owner has to be able to put the rest of the archive in.
    once(name, () => mkdirSync(directory + below, (mode & 0o777) | 0o755));
    made.add(below);
  }

  async function writeFile(path: string, entry: ArchiveEntry): Promise<void> {
    const file = once(entry.name, () => openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
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
    const existing = directory + (target.length === 0 ? "" : `/${target.join("/")}`);
    const parent = target.length < 2 ? "" : `/${target.slice(0, -1).join("/")}`;
    const stats = made.has(parent) ? lstatSync(existing, { throwIfNoEntry: false }) : undefined;
    if (stats?.isFile() !== true) {
      throw new ArchiveFault(
        `its hard link ${shown(entry.name)} leads to ${shown(entry.target)}, which is no earlier file of it`,
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
      if (code === "EEXIST") throw new ArchiveFault(`it has an entry ${shown(name)} where another one is already`);
      throw error;
    }
  }
}
