import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";
import { sleep } from "@kindling/outside";
import { noticeWait, type WaitNotices } from "../credentials/wait-notice.ts";
import type { ReadFile } from "../files-outside.ts";

/**
 * A kubeconfig of a thousand clusters with their certificates has about 5 MB; all other files that are read here are smaller.
 */
const MOST_BYTES = 16 * 1024 * 1024;
const PIPE_POLL_MS = 50;

/**
 * Reads text files of at most 16 MiB. Directories, devices and sockets are refused before they are opened. Named pipes are
 * refused, too, because their writer may never come. Pipes from the shell (`<(…)`, `/dev/stdin`) are read: a long wait for
 * them is announced, and ends after a time. `/dev/null` is an empty file.
 *
 * Synchronous inside: the files are small and local, and a first use of the thread pool, like loading `node:fs/promises`,
 * costs a command two milliseconds.
 */
export function fileReader(notices: WaitNotices, timeoutMs: number): ReadFile {
  return async (path, signal) => {
    const status = statSync(path);
    if (isNull(status)) return "";
    refuseUnfit(status, path);
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stopNotice = noticeWait(notices, `the contents of ${path}`, timeoutMs);
    try {
      // Checked once more: the path may now point to another file.
      refuseUnfit(fstatSync(file), path);
      return await readToEnd(file, notices, timeoutMs, signal);
    } finally {
      stopNotice();
      closeSync(file);
    }
  };
}

function isNull(status: Stats): boolean {
  return status.isCharacterDevice() && status.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}

function refuseUnfit(status: Stats, path: string): void {
  const isHandedOver = /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/(?:self|\d+)\/fd\/\d+)$/.test(path);
  if (!status.isFile() && !(status.isFIFO() && isHandedOver)) throw unreadable("it is not a regular file");
  if (status.size > MOST_BYTES) throw unreadable(`it is larger than ${MOST_BYTES} bytes`);
}

/** Callers show the code of an error if it has one. */
function unreadable(why: string): Error {
  return Object.assign(new Error(why), { code: why });
}

async function readToEnd(
  file: number,
  { clock }: WaitNotices,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const end = clock.now() + timeoutMs;
  const chunks: Buffer[] = [];
  for (let total = 0; total <= MOST_BYTES;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const bytes = readNow(file, chunk);
    if (bytes === 0) return Buffer.concat(chunks).toString("utf8");
    if (clock.now() > end) throw unreadable(`it did not come to its end within ${timeoutMs / 1000} s`);
    if (signal?.aborted === true) throw unreadable("it is not waited for any longer");
    if (bytes === undefined) {
      await sleep(clock, PIPE_POLL_MS, signal);
      continue;
    }
    total += bytes;
    chunks.push(chunk.subarray(0, bytes));
  }
  throw unreadable(`it is larger than ${MOST_BYTES} bytes`);
}

/** How many bytes were read; 0 at the end, `undefined` if there are none yet. */
function readNow(file: number, chunk: Buffer): number | undefined {
  try {
    return readSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}
