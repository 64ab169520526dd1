import { ArchiveFault } from "./archive-entry.ts";
import { MOST_BYTES } from "./entry-path.ts";

/** Where absolute links of an archive may lead. */
export interface LinkRules {
  /** Directories that they may lead to. */
  readonly allowed: readonly string[];
  /** Places that they still may not lead to, including directories that contain one of these places. */
  readonly closed: readonly string[];
}

/**
 * Makes sure that a symbolic link leads to a place where it can do no harm. This process never follows it: links are made
 * last, in a directory of its own, and are not used to write, read or change anything. Spark's container follows it.
 *
 * A relative link stays inside the archive's directory, whatever other links there are: it goes up by `..` only at its
 * beginning, and not further than its own directory is deep. Each step down from there may be another link with the same
 * restriction. An absolute link leads into the image of Spark's container, as the interpreter of a virtual environment
 * does (`bin/python3 -> /usr/bin/python3`). It must not lead above a closed place either: with `up -> /`, a relative link
 * `up/proc/self/environ` would reach it.
 *
 * @param directory segments of the link's own directory, none of them a link
 * @throws ArchiveFault
 */
export function checkLinkTarget(name: string, directory: readonly string[], target: string, rules: LinkRules): void {
  const refuse = (why: string): never => {
    throw new ArchiveFault((quoted) => `its link ${quoted(name)} leads to ${quoted(target)}, ${why}`);
  };
  if (target === "" || target.includes("\0")) refuse("which is no path");
  if (Buffer.byteLength(target) > MOST_BYTES) refuse("which is longer than 4096 bytes");
  const segments = segmentsOf(target);
  if (target.startsWith("/")) {
    if (segments.includes("..")) refuse("an absolute path with ..");
    if (rules.closed.some((place) => isWithin(segments, place) || isAbove(segments, place))) {
      refuse("where no archive may lead: it is or contains a directory of the system, of secrets or of the localizer");
    }
    if (!rules.allowed.some((place) => isWithin(segments, place))) {
      refuse("an absolute path that is not below one of these directories (limits.absoluteLinks)");
    }
    return;
  }
  const ups = segments.findIndex((segment) => segment !== "..");
  const leading = ups === -1 ? segments.length : ups;
  if (leading > directory.length) refuse("outside the archive");
  if (segments.includes("..", leading)) refuse("which has .. after its beginning");
}

function isWithin(segments: readonly string[], place: string): boolean {
  return segmentsOf(place).every((segment, index) => segments[index] === segment);
}

function isAbove(segments: readonly string[], place: string): boolean {
  const below = segmentsOf(place);
  return segments.every((segment, index) => below[index] === segment);
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
