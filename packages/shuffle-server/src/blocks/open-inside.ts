import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { RemoteError } from "../remote-error.ts";

/** An open file below a directory. */
export interface InsideFile {
  readonly fd: number;
  readonly stats: Stats;
}

// Without O_NONBLOCK, opening a named pipe would wait for its other end.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file below a directory to read it, if it is a file, and if its directories do not lead outside. The check is made
 * with the open file, so a link that is exchanged at that moment does not help.
 *
 * Opening waits for the disk only if the names are not in memory; executors have just written these files.
 *
 * Source: `verifyBlockPathsAtRead` of `ExternalShuffleBlockResolver` in Spark 4.3.0, which compares canonical paths.
 *
 * @param directory its canonical path
 * @throws RemoteError if the file is none, or is elsewhere; the error of Node if it cannot be opened
 */
export function openInside(directory: string, path: string): InsideFile {
  const full = `${directory}/${path}`;
  const fd = open(full);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new RemoteError("block", "java.io.IOException", `${full} is not a file`);
    if (!realPathOf(fd, full).startsWith(`${directory}/`)) {
      throw leadsOutside(full);
    }
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function open(path: string): number {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    // O_NOFOLLOW refuses a link. Spark writes no links.
    if (error instanceof Error && "code" in error && error.code === "ELOOP") throw leadsOutside(path);
    throw error;
  }
}

function leadsOutside(path: string): RemoteError {
  return new RemoteError(
    "block",
    "java.lang.RuntimeException",
    `Block file ${path} resolves outside the executor's registered local directories`,
  );
}

/** Linux tells the path of an open file. */
function realPathOf(fd: number, path: string): string {
  return process.platform === "linux" ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(path);
}

/** Whether an error of Node says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
