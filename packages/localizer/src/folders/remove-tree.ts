import { chmodSync, lstatSync, opendirSync, renameSync, rmdirSync, unlinkSync, type Dir, type Dirent } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** After this many entries, other work gets its turn: a tree may have hundreds of thousands. */
const SLICE = 256;

/** How many directories are open at once. */
const MOST_OPEN = 16;

const SLASH = Buffer.from("/");

/**
 * Removes whatever is at a path, and everything below it, without following links. A tree may be of any depth and have
 * any number of entries: deep directories are first moved to the top, and names are read in small batches. (`rmSync`
 * calls itself for each level, and reads all names of a directory at once.)
 *
 * @throws an error of the file system; the signal's reason
 */
export async function removeTree(path: string, signal?: AbortSignal): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const top = Buffer.from(path);
  if (!stats.isDirectory()) {
    unlinkSync(top);
    return;
  }
  let seen = 0;
  let moved = 0;

  const moveToTop = (directory: Buffer): void => {
    for (;;) {
      const place = below(top, Buffer.from(`.${moved++}`));
      if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) continue;
      renameSync(directory, place);
      return;
    }
  };
  const empty = async (directory: Buffer, depth: number): Promise<boolean> => {
    let wasEmpty = true;
    for (const { entry, child } of entriesOf(directory)) {
      wasEmpty = false;
      if (!entry.isDirectory()) unlinkSync(child);
      else if (depth === MOST_OPEN) moveToTop(child);
      else {
        await empty(child, depth + 1);
        rmdirSync(child);
      }
      if (++seen % SLICE === 0) {
        await setImmediate();
        signal?.throwIfAborted();
      }
    }
    return wasEmpty;
  };

  // Directories that are moved to the top while it is read may be missed at first.
  while (!(await empty(top, 1)));
  rmdirSync(top);
}

/** The entries of a directory, which may change while it is read. */
function* entriesOf(path: Buffer): Generator<{ readonly entry: Dirent; readonly child: Buffer }, void, undefined> {
  const directory = openWritable(path);
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      // This encoding keeps the bytes of names: they need not be UTF-8.
      yield { entry, child: below(path, Buffer.from(entry.name, "latin1")) };
    }
  } finally {
    directory.closeSync();
  }
}

/** Opens a directory to empty it. */
function openWritable(path: Buffer): Dir {
  if ((lstatSync(path).mode & 0o700) !== 0o700) {
    try {
      chmodSync(path, 0o700);
    } catch {
      // The directory belongs to another user. If that matters, the next call fails.
    }
  }
  return opendirSync(path, { encoding: "latin1" });
}

function below(path: Buffer, name: Buffer): Buffer {
  return Buffer.concat([path, SLASH, name]);
}
