import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault } from "./archive-entry.ts";

const MOST_BYTES = 4096;
const MOST_SEGMENT_BYTES = 255;

/**
 * Where an entry lies below the archive's directory, as path segments; none for the directory itself. Empty parts and
 * `.` are passed over, as every unpacker does; what leads out is refused.
 *
 * @throws ArchiveFault
 */
export function entryPath(name: string): readonly string[] {
  const refuse = (why: string): never => {
    throw new ArchiveFault((quoted) => `it has an entry ${quoted(name)}, which ${why}`);
  };
  if (name === "") return refuse("has no name");
  if (name.includes("\0")) return refuse("has a NUL in its name");
  if (name.startsWith("/")) return refuse("has an absolute path");
  if (Buffer.byteLength(name) > MOST_BYTES) return refuse("has a name of more than 4096 bytes");
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return refuse("leads out of the archive");
  if (segments.some((segment) => Buffer.byteLength(segment) > MOST_SEGMENT_BYTES)) {
    return refuse("has a part of more than 255 bytes");
  }
  return segments;
}

// Linux, PATH_MAX, without the NUL at its end.
const LONGEST_PATH = 4095;

/**
 * Makes sure that an entry is not too deep, and that its path can be used.
 *
 * @param prefix how many bytes stand before it in the longest path by which anybody will name it
 * @throws ArchiveFault
 */
export function checkPlace(name: string, segments: readonly string[], prefix: number, { maxDepth }: Limits): void {
  if (segments.length > maxDepth) {
    throw new ArchiveFault(
      (quoted) => `it has an entry ${quoted(name)}, which is more than ${maxDepth} deep (limits.maxDepth)`,
    );
  }
  if (prefix + name.length * 3 <= LONGEST_PATH) return;
  if (prefix + Buffer.byteLength(segments.join("/")) > LONGEST_PATH) {
    throw new ArchiveFault(
      (quoted) => `it has an entry ${quoted(name)}, whose path would have more than ${LONGEST_PATH} bytes`,
    );
  }
}

/**
 * Makes sure that a symbolic link leads to a place inside the archive's directory, whatever other links there are: it
 * goes up by `..` only at its beginning, and not further than its own directory is deep. Each step down from there may
 * be another link, of which the same holds.
 *
 * @param directory segments of the link's own directory, none of them a link
 * @param outside directories that absolute links may lead to
 * @throws ArchiveFault
 */
export function checkLinkTarget(
  name: string,
  directory: readonly string[],
  target: string,
  outside: readonly string[],
): void {
  const refuse = (why: string): never => {
    throw new ArchiveFault((quoted) => `its link ${quoted(name)} leads to ${quoted(target)}, ${why}`);
  };
  if (target === "" || target.includes("\0")) refuse("which is no path");
  if (Buffer.byteLength(target) > MOST_BYTES) refuse("which is longer than 4096 bytes");
  const segments = target.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (target.startsWith("/")) {
    const allowed = outside.some((each) => target.startsWith(each === "/" ? "/" : `${each}/`));
    if (!allowed || segments.includes("..")) refuse("an absolute path that is not below one of limits.absoluteLinks");
    return;
  }
  const ups = segments.findIndex((segment) => segment !== "..");
  const leading = ups === -1 ? segments.length : ups;
  if (leading > directory.length) refuse("outside the archive");
  if (segments.includes("..", leading)) refuse("which goes up behind its beginning");
}
