import { lstatSync, mkdirSync } from "node:fs";
import type { MadeLimit } from "./made-limit.ts";

/** The directories of a tree that only this process writes to. Paths begin below its top, with a slash before each part. */
export interface OwnDirectories {
  /**
   * Makes a directory and its parents if they do not exist; returns its path.
   *
   * @param mode permission bits in addition to 0755: its owner must be able to write the rest of the archive into it
   * @throws NotADirectory
   */
  make(segments: readonly string[], mode?: number): string;
  /** The path of an existing directory; `undefined` if there is none, or if a link or file is in its path. */
  find(segments: readonly string[]): string | undefined;
}

/** The error for something else in the place of a directory. */
export class NotADirectory extends Error {}

// How much memory the remembered paths may take, about. An archive may have any number of directories, with long names.
const MOST_REMEMBERED = 1024 * 1024;
const PATH_COST = 64;

/**
 * @param top the path of the tree
 * @param made called for each directory before it is made
 */
export function ownDirectories(top: string, made: MadeLimit): OwnDirectories {
  // Other directories are looked up on disk. This only saves look-ups for entries that follow each other in an archive.
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
      // No parent may be a link, so each is looked up by itself.
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
