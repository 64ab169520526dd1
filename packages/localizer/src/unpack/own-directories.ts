import { lstatSync, mkdirSync } from "node:fs";
import type { MadeLimit } from "./made-limit.ts";

/** The directories of a tree that nobody else writes to. Paths are those below its top, with a slash before each part. */
export interface OwnDirectories {
  /**
   * Makes a directory and those above it, where they are not there; answers its path.
   *
   * @param mode permission bits besides 0755: its owner has to be able to put the rest of the archive in
   * @throws NotADirectory
   */
  make(segments: readonly string[], mode?: number): string;
  /** The path of a directory that is there; `undefined` if there is none, or a link or file stands in the way to it. */
  find(segments: readonly string[]): string | undefined;
}

/** Something else than a directory stands where one has to be. */
export class NotADirectory extends Error {}

// About how much memory the paths take that are remembered. An archive may have any number of directories, with long names.
const MOST_REMEMBERED = 1024 * 1024;
const PATH_COST = 64;

/**
 * @param top the path of the tree
 * @param made told of each directory before it is made
 */
export function ownDirectories(top: string, made: MadeLimit): OwnDirectories {
  // What is not in here is looked up: it only saves that for those that follow each other in an archive.
  const known = new Set<string>();
  let remembered = 0;

  function remember(path: string): void {
    if (remembered > MOST_REMEMBERED) {
      known.clear();
      remembered = 0;
    }
    known.add(path);
    remembered += path.length + PATH_COST;
  }

  function isThere(path: string): boolean {
    if (known.has(path)) return true;
    const stats = lstatSync(top + path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isDirectory()) throw new NotADirectory();
    remember(path);
    return true;
  }

  return {
    make(segments, mode = 0) {
      const whole = pathOf(segments);
      if (whole === "" || known.has(whole)) return whole;
      let path = "";
      for (const segment of segments) {
        path += `/${segment}`;
        if (isThere(path)) continue;
        made.add();
        mkdirSync(top + path, path === whole ? (mode & 0o777) | 0o755 : 0o755);
        remember(path);
      }
      return whole;
    },
    find(segments) {
      const whole = pathOf(segments);
      if (whole === "" || known.has(whole)) return whole;
      // None of those above may be a link: each is looked up by itself.
      let path = "";
      for (const segment of segments) {
        path += `/${segment}`;
        try {
          if (!isThere(path)) return undefined;
        } catch (error) {
          if (error instanceof NotADirectory) return undefined;
          throw error;
        }
      }
      return whole;
    },
  };
}

function pathOf(segments: readonly string[]): string {
  return segments.length === 0 ? "" : `/${segments.join("/")}`;
}
