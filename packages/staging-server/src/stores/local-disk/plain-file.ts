import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

/** Something else stands where a file is to be, or a file that nobody here has written. */
export class NoPlainFileError extends Error {}

// More than documents have by default, and little enough to be read by a server with little memory.
const SMALL_BYTES = 32 * 1024 * 1024;
// Without waiting for the other end of a pipe, and without going where a link leads.
const FLAGS = constants.O_NONBLOCK | constants.O_NOFOLLOW;
// What is said of a link, of a socket, and of a directory that is to be written.
const NOT_PLAIN: ReadonlySet<string> = new Set(["ELOOP", "ENXIO", "EISDIR"]);

/**
 * Opens a file that this server has written. On a disk that was damaged, something else may have its name: a pipe would
 * be waited for, and a link or a device be read, for ever.
 *
 * @throws NoPlainFileError if it is no file; the file system's error as it comes
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
 * @param isWhole asked about a large one before it is taken into memory; default: none that is large is what was written
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

/** The beginning of a file, of which little need be what was written. */
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
