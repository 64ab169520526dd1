import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

/** Something that is no file is in the place of a file, or a file that this server has not written. */
export class NoPlainFileError extends Error {}

// More than documents have by default, and small enough for a server with little memory.
const SMALL_BYTES = 32 * 1024 * 1024;
// Does not wait for the other end of a pipe, and does not follow a link.
const FLAGS = constants.O_NONBLOCK | constants.O_NOFOLLOW;
// The error codes for a link, for a socket, and for a directory that is opened for writing.
const NOT_PLAIN: ReadonlySet<string> = new Set(["ELOOP", "ENXIO", "EISDIR"]);

/**
 * Opens a file that this server has written. On a damaged disk, something else may have its name: the server would wait
 * for a pipe, or read a link or a device, for ever.
 *
 * @throws NoPlainFileError if it is no file; errors of the file system unchanged
 */
export async function openPlainFile(path: string, access: "read" | "read-write"): Promise<FileHandle> {
  const file = await openAny(path, FLAGS | (access === "read" ? constants.O_RDONLY : constants.O_RDWR));
  try {
    if ((await file.stat()).isFile()) return file;
    throw new NoPlainFileError("it is no file");
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openAny(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (!NOT_PLAIN.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new NoPlainFileError("it is no file", { cause: error });
  }
}

/**
 * Reads all of a file.
 *
 * @param isWhole called for a large file before it is read into memory; default: no large file is what was written
 * @throws NoPlainFileError also if it is too large
 */
export async function readPlainFile(
  path: string,
  isWhole: (file: FileHandle) => Promise<boolean> = () => Promise.resolve(false),
): Promise<Buffer> {
  const file = await openPlainFile(path, "read");
  try {
    const { size } = await file.stat();
    if (size > SMALL_BYTES && !(await isWhole(file))) {
      throw new NoPlainFileError(`it has ${size} bytes, and they are not what was written`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The beginning of a file; the rest may be damaged. */
export async function readBeginning(path: string): Promise<Buffer> {
  const file = await openPlainFile(path, "read");
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, SMALL_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
