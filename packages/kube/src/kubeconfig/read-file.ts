import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";

/** A kubeconfig of a thousand clusters with their certificates has some 5 MB; nothing else that is read here has more. */
const MOST_BYTES = 16 * 1024 * 1024;
/** How long what runs in `<(…)` may take until its last byte. */
const PIPE_MS = 30_000;
const PIPE_POLL_MS = 10;

/**
 * Reads a text file of at most 16 MiB, and never waits for one: directories, devices and sockets are refused before they
 * are opened, and so is a pipe, whose writer may never come, but for one that the shell has handed over (`<(…)`,
 * `/dev/stdin`). `/dev/null` is an empty file.
 *
 * Synchronous inside: the files are small and local, and a first use of the thread pool, like loading `node:fs/promises`,
 * costs a command two milliseconds.
 */
export async function readTextFile(path: string): Promise<string> {
  const status = statSync(path);
  if (isNull(status)) return "";
  refuseUnfit(status, path);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // Looked at once more: the path may lead elsewhere by now.
    refuseUnfit(fstatSync(file), path);
    return await readToEnd(file);
  } finally {
    closeSync(file);
  }
}

function isNull(status: Stats): boolean {
  return status.isCharacterDevice() && status.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}

function refuseUnfit(status: Stats, path: string): void {
  const isHandedOver = /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/(?:self|\d+)\/fd\/\d+)$/.test(path);
  if (!status.isFile() && !(status.isFIFO() && isHandedOver)) throw unreadable("it is not a regular file");
  if (status.size > MOST_BYTES) throw unreadable(`it is larger than ${MOST_BYTES} bytes`);
}

/** Callers show the code where an error has one. */
function unreadable(why: string): Error {
  return Object.assign(new Error(why), { code: why });
}

async function readToEnd(file: number): Promise<string> {
  const end = performance.now() + PIPE_MS;
  const chunks: Buffer[] = [];
  for (let total = 0; total <= MOST_BYTES;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const bytes = readNow(file, chunk);
    if (bytes === 0) return Buffer.concat(chunks).toString("utf8");
    if (performance.now() > end) throw unreadable(`it did not come to its end within ${PIPE_MS / 1000} s`);
    if (bytes === undefined) {
      await new Promise((resolve) => setTimeout(resolve, PIPE_POLL_MS));
      continue;
    }
    total += bytes;
    chunks.push(chunk.subarray(0, bytes));
  }
  throw unreadable(`it is larger than ${MOST_BYTES} bytes`);
}

/** How many bytes were there; 0 at the end, `undefined` if there are none yet. */
function readNow(file: number, chunk: Buffer): number | undefined {
  try {
    return readSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}
