import { constants, lstatSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Digest } from "@kindling/staging-client/protocol";
import type { Limits } from "../config/localizer-config.ts";
import { diskError, isSystemError } from "../report/disk-error.ts";
import { isInterruption, LocalizerError } from "../report/localizer-error.ts";
import { readSmallFile } from "../read-small-file.ts";
import { removeTree } from "../folders/remove-tree.ts";
import { ArchiveFault } from "./archive-entry.ts";
import { readArchive } from "./read-archive.ts";
import { unpackTree } from "./unpack-tree.ts";

const { O_RDONLY, O_NOFOLLOW } = constants;

/** The file in an unpacked archive that says which archive it is. */
export const MARKER = ".kindling-archive.json";

/** Where an archive is unpacked: `path` is an open directory, `name` is in it. */
export interface UnpackTarget {
  readonly path: string;
  readonly name: string;
  /** For messages. */
  readonly shown: string;
}

export interface UnpackOptions {
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Removes secrets from names that messages quote. */
  readonly redact: (text: string) => string;
}

export interface UnpackArchiveOptions extends UnpackOptions {
  /** Where no link may lead. */
  readonly closed: readonly string[];
  /** The digest of the archive's bytes. */
  readonly digest: Digest;
  /** The id of this machine's current start: unflushed data of an earlier start may be lost. */
  readonly bootId: string;
}

/** Whether the archive of this digest is there already, completely unpacked. */
export function isUnpacked(target: UnpackTarget, digest: Digest, bootId: string): boolean {
  const directory = `${target.path}/${target.name}`;
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  try {
    const source = readSmallFile(`${directory}/${MARKER}`)?.toString("utf8") ?? "";
    const marker = JSON.parse(source) as Record<string, unknown> | null;
    return marker?.["digest"] === digest && marker["bootId"] === bootId;
  } catch {
    return false;
  }
}

/**
 * Unpacks an archive beside its target, and renames it when all of it is there; it replaces the old target.
 *
 * @param archive the path of the archive, which has been verified
 * @returns how many entries it has
 * @throws LocalizerError `archive`, `disk`
 */
export async function unpackArchive(
  archive: string,
  target: UnpackTarget,
  options: UnpackArchiveOptions,
): Promise<number> {
  const { digest, bootId, limits, closed, signal, redact } = options;
  const { unpacking, replaced } = workplacesOf(target);
  const file = await open(archive, O_RDONLY | O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    await clearWorkplaces(target, signal);
    mkdirSync(unpacking, { mode: 0o755 });
    const entries = readArchive(file, size, limits, signal);
    const tree = { limits, closed, reserved: MARKER, destination: target.shown, signal };
    const count = await unpackTree(unpacking, entries, tree);
    writeFileSync(`${unpacking}/${MARKER}`, `${JSON.stringify({ digest, bootId, entries: count })}\n`, { mode: 0o444 });
    const directory = `${target.path}/${target.name}`;
    if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) renameSync(directory, replaced);
    renameSync(unpacking, directory);
    await removeTree(replaced);
    return count;
  } catch (error) {
    // After a signal to stop there is no time to clean up; the next run does it. If the removal fails, the original error
    // is still the important one.
    if (!isInterruption(signal.reason)) await removeTree(unpacking).catch(() => undefined);
    throw faultOf(error, target.shown, redact);
  } finally {
    await file.close();
  }
}

/** Removes the remains of an earlier process that ended while it unpacked. @throws LocalizerError `disk` */
export async function clearWorkplaces(target: UnpackTarget, signal: AbortSignal): Promise<void> {
  const { unpacking, replaced } = workplacesOf(target);
  try {
    await removeTree(unpacking, signal);
    await removeTree(replaced, signal);
  } catch (error) {
    throw isSystemError(error) ? diskError(target.shown, error) : error;
  }
}

function workplacesOf({ path, name }: UnpackTarget): { readonly unpacking: string; readonly replaced: string } {
  return { unpacking: `${path}/.${name}.unpacking`, replaced: `${path}/.${name}.replaced` };
}

const LIMIT_HINT =
  "if the archive has to be like this, raise that limit; a submission does so by spark.kindling.localizer.limits.*";
const OTHER_HINT = "make the archive again from regular files, directories, and links into it or into Spark's image";

export function faultOf(error: unknown, shown: string, redact: (text: string) => string): unknown {
  if (error instanceof ArchiveFault) {
    const message = `the archive for ${shown} cannot be unpacked: ${error.told(redact)}`;
    return new LocalizerError("archive", message, {
      hint: /\(limits\.\w+\)/.test(message) ? LIMIT_HINT : OTHER_HINT,
      cause: error,
    });
  }
  return isSystemError(error) ? diskError(shown, error) : error;
}
