import { closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { LocalizerError } from "../report/localizer-error.ts";
import { diskError } from "../report/disk-error.ts";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** An open directory: names below `path` are looked up in it, even if its path changes meanwhile. */
export interface OpenDirectory {
  /** For use in paths, only in this process. */
  readonly path: string;
  close(): void;
}

/**
 * Opens the directory of a target, and makes its missing parts. Below the root, no symbolic link is followed: a volume
 * that was used before, or is shared, may contain any.
 *
 * @param directory the root, or a path below it
 * @throws LocalizerError `disk`
 */
export function openDirectory(root: string, directory: string): OpenDirectory {
  let name = root;
  let held: number;
  try {
    held = openSync(root, O_RDONLY | O_DIRECTORY);
  } catch (error) {
    throw diskError(root, error, "each of roots has to be a directory that exists");
  }
  const segments = directory
    .slice(root.length)
    .split("/")
    .filter((segment) => segment !== "");
  for (const segment of segments) {
    const parent = { number: held, path: pathOf(held, name) };
    name = name === "/" ? `/${segment}` : `${name}/${segment}`;
    try {
      held = openOrMake(`${parent.path}/${segment}`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // With O_NOFOLLOW and O_DIRECTORY, Linux reports ENOTDIR for a link, other systems ELOOP.
      if (code === "ELOOP" || code === "ENOTDIR") {
        throw new LocalizerError("disk", `${name} is a link or a file, where a directory should be`, {
          hint: "use an empty volume for the files, such as an emptyDir",
        });
      }
      throw diskError(name, error);
    } finally {
      closeSync(parent.number);
    }
  }
  return { path: pathOf(held, name), close: () => closeSync(held) };
}

function openOrMake(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  try {
    mkdirSync(path, 0o755);
  } catch (error) {
    // Two files of one directory may do this at the same time.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/** On Linux, a name for exactly the open directory; on other systems the path. */
function pathOf(held: number, name: string): string {
  const own = `/proc/self/fd/${held}`;
  return existsSync(own) ? own : name;
}
