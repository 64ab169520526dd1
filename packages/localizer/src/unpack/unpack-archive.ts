import { readFileSync, renameSync, rmSync, mkdirSync, writeFileSync, lstatSync, constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Digest } from "@kindling/staging-client/protocol";
import type { Limits } from "../config/localizer-config.ts";
import { diskError, isSystemError } from "../report/disk-error.ts";
import { LocalizerError } from "../report/localizer-error.ts";
import { ArchiveFault } from "./archive-entry.ts";
import { readArchive } from "./read-archive.ts";
import { unpackTree } from "./unpack-tree.ts";

const { O_RDONLY, O_NOFOLLOW } = constants;

/** Tells, inside an unpacked archive, which one it is. */
export const MARKER = ".kindling-archive.json";

/** Where an archive is unpacked: `path` is a directory that is held open, `name` is in it. */
export interface UnpackTarget {
  readonly path: string;
  readonly name: string;
  /** For messages. */
  readonly shown: string;
}

export interface UnpackOptions {
  readonly limits: Limits;
  /** Of the archive's bytes. */
  readonly digest: Digest;
  /** Of this machine's start: what was not flushed then may be lost since. */
  readonly bootId: string;
  readonly signal: AbortSignal;
}

/** Whether the archive of that digest is there already, unpacked to its end. */
export function isUnpacked(target: UnpackTarget, digest: Digest, bootId: string): boolean {
  const directory = `${target.path}/${target.name}`;
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  try {
    const marker = JSON.parse(readFileSync(`${directory}/${MARKER}`, "utf8")) as Record<string, unknown> | null;
    return marker?.["digest"] === digest && marker["bootId"] === bootId;
  } catch {
    return false;
  }
}

/**
 * Unpacks an archive beside its target and renames it when all of it is there; what was at the target is replaced.
 *
 * @param archive the path of the archive, which has been verified
 * @returns how many entries it has
 * @throws LocalizerError `archive`, `disk`
 */
export async function unpackArchive(archive: string, target: UnpackTarget, options: UnpackOptions): Promise<number> {
  const { digest, bootId } = options;
  const beside = (what: string): string => `${target.path}/.${target.name}.${what}`;
  const [unpacking, replaced] = [beside("unpacking"), beside("replaced")];
  const file = await open(archive, O_RDONLY | O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    // An earlier process may have ended at any point.
    remove(unpacking);
    remove(replaced);
    mkdirSync(unpacking, { mode: 0o755 });
    const entries = readArchive(file, size, options.limits);
    const count = await unpackTree(unpacking, entries, { ...options, reserved: MARKER });
    writeFileSync(`${unpacking}/${MARKER}`, `${JSON.stringify({ digest, bootId, entries: count })}\n`, { mode: 0o444 });
    const directory = `${target.path}/${target.name}`;
    if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) renameSync(directory, replaced);
    renameSync(unpacking, directory);
    remove(replaced);
    return count;
  } catch (error) {
    // Who is told to stop has no time to clean up; the next run does.
    if (!options.signal.aborted) remove(unpacking);
    throw faultOf(error, target.shown);
  } finally {
    await file.close();
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

export function faultOf(error: unknown, shown: string): unknown {
  if (error instanceof ArchiveFault) {
    return new LocalizerError("archive", `the archive for ${shown} cannot be unpacked: ${error.message}`, {
      hint: "make the archive anew from regular files, directories and relative links inside it",
      cause: error,
    });
  }
  return isSystemError(error) ? diskError(shown, error) : error;
}
