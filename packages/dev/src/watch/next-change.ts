import { stat } from "node:fs/promises";
import { sleep, type Clock } from "@kindling/outside";

const LOOK_MS = 200;

/** The state of files at one moment, by path. */
export type FileStates = ReadonlyMap<string, string>;

export async function fileStates(paths: readonly string[]): Promise<FileStates> {
  return new Map(await Promise.all(paths.map(async (path) => [path, await stateOf(path)] as const)));
}

/**
 * Waits until one of the files has changed and is no longer written to. Checks them periodically, which works with every
 * editor, folder and file system: some editors replace the file, and network file systems send no notifications.
 *
 * @returns the changed paths; none when the signal aborts
 */
export async function nextChange(before: FileStates, clock: Clock, signal: AbortSignal): Promise<readonly string[]> {
  const paths = [...before.keys()];
  let last = before;
  while (!signal.aborted) {
    await sleep(clock, LOOK_MS, signal);
    const now = await fileStates(paths);
    const changed = paths.filter((path) => now.get(path) !== before.get(path));
    const isSettled = changed.every((path) => now.get(path) === last.get(path) && now.get(path) !== MISSING);
    if (changed.length > 0 && isSettled) return changed;
    last = now;
  }
  return [];
}

/** An editor may remove a file before it writes it again. */
const MISSING = "missing";

async function stateOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return [mtimeMs, size, ino].join(" ");
  } catch {
    return MISSING;
  }
}
