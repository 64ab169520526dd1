import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault } from "./archive-entry.ts";

/** The longest name or target that an archive may have. */
export const MOST_BYTES = 4096;
const MOST_SEGMENT_BYTES = 255;

/**
 * The path of an entry below the archive's directory, as segments; no segments for the directory itself. Empty parts and
 * `.` are skipped, as in every unpacker; a path that leads out is refused.
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
 * @param prefix how many bytes come before it in the longest path that any program uses for it
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
