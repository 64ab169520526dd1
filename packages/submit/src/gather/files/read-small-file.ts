import { readSync, statSync } from "node:fs";
import type { Clock } from "@kindling/outside";
import { withOpenFile } from "./open-file.ts";

/**
 * The size limit, in bytes, of a file that goes into an object: a ConfigMap or a Secret holds no more (Kubernetes,
 * "ConfigMaps"). Other files that a submission reads as a whole are smaller.
 */
const SMALL_FILE_BYTES = 1024 * 1024;

// How long the program in `<(…)` may take until its last byte.
const PIPE_MS = 30_000;
const PIPE_POLL_MS = 10;

/**
 * Reads a file as a whole. It waits only for a pipe that the shell has passed, which has half a minute to end. `/dev/null` is
 * an empty file.
 *
 * @param clock measures how long a pipe takes
 * @param mostBytes the limit
 * @throws Error as {@link withOpenFile}, and for a file that is too large
 */
export function readSmallFile(path: string, clock: Clock, mostBytes: number = SMALL_FILE_BYTES): Buffer {
  if (isNull(path)) return Buffer.alloc(0);
  return withOpenFile(path, (file, { size }) => {
    if (size > mostBytes) throw tooLarge(mostBytes);
    return readUpTo(file, clock, mostBytes);
  });
}

function isNull(path: string): boolean {
  const status = statSync(path);
  return status.isCharacterDevice() && status.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}

function tooLarge(mostBytes: number): Error {
  return new Error(`it is larger than ${mostBytes} bytes, and no more is read`);
}

/** Counts the bytes that come and ignores the reported size, which is 0 for a pipe and for files that the system generates. */
function readUpTo(file: number, clock: Clock, mostBytes: number): Buffer {
  const end = clock.monotonic() + PIPE_MS;
  const chunks: Buffer[] = [];
  for (let total = 0; ;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const bytes = readNow(file, chunk);
    if (bytes === 0) return Buffer.concat(chunks);
    if (clock.monotonic() > end) throw new Error(`it did not come to its end within ${PIPE_MS / 1000} s`);
    if (bytes === undefined) {
      pause(PIPE_POLL_MS);
      continue;
    }
    total += bytes;
    if (total > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk.subarray(0, bytes));
  }
}

/** How many bytes were read; 0 at the end, `undefined` if there are none yet. */
function readNow(file: number, chunk: Buffer): number | undefined {
  try {
    return readSync(file, chunk);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    throw error;
  }
}

/** Files are read one after another, as in a shell, so nothing else could go on meanwhile. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
