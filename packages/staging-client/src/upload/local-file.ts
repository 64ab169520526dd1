import { constants, type Stats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { messageOf } from "@kindling/core-spec";
import { StagingError } from "../errors.ts";
import { digester, type Digest } from "../protocol/digest.ts";

/** A local file as it was when it was hashed. */
export interface HashedFile {
  readonly path: string;
  readonly digest: Digest;
  readonly size: number;
  /** Shows whether the file is still the same: device, inode, size and time of change. */
  readonly identity: string;
  /** Permission bits. */
  readonly mode: number;
}

// Large enough that a read costs little, small enough to stay in a core's cache until it is hashed.
const READ_BYTES = 256 * 1024;

// Without O_NONBLOCK, the opening of a pipe would wait for a writer; for a regular file the flag has no effect.
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

function identityOf(stats: Stats): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeMs].join(" ");
}

function unreadable(path: string, error: unknown): StagingError {
  return new StagingError("file", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
}

export function changedFile(path: string): StagingError {
  return new StagingError("file-changed", `${path} changed while it was being uploaded`, {
    hint: "wait until the file is complete, then submit again",
  });
}

/** The size of a regular file, before anything is read. */
export async function sizeOf(path: string): Promise<number> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, READ);
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error("it is not a regular file");
    return stats.size;
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file?.close();
  }
}

/**
 * Hashes a file.
 *
 * @param onBytes called for each piece that was read
 * @throws StagingError `file` if it cannot be read, `file-changed` if it changed meanwhile, `cancelled`
 */
export async function hashFile(
  path: string,
  options: { readonly signal?: AbortSignal | undefined; readonly onBytes?: (bytes: number) => void },
): Promise<HashedFile> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, READ);
    const before = await file.stat();
    if (!before.isFile()) throw new Error("it is not a regular file");
    const hash = digester();
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    let size = 0;
    for (;;) {
      if (options.signal?.aborted === true) throw new StagingError("cancelled", "cancelled");
      const { bytesRead } = await file.read(buffer, 0, buffer.length, size);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
      options.onBytes?.(bytesRead);
    }
    const after = await file.stat();
    if (size !== before.size || identityOf(before) !== identityOf(after)) throw changedFile(path);
    return { path, digest: hash.digest(), size, identity: identityOf(before), mode: before.mode & 0o777 };
  } catch (error) {
    throw error instanceof StagingError ? error : unreadable(path, error);
  } finally {
    await file?.close();
  }
}

/** An open file to send from, checked to be the one that was hashed. */
export interface SendableFile {
  /** The bytes from an offset on, `length` of them. */
  read(offset: number, length: number): Readable;
  close(): Promise<void>;
}

/** @throws StagingError `file`, `file-changed` */
export async function openHashed(hashed: HashedFile): Promise<SendableFile> {
  let file: FileHandle;
  try {
    file = await open(hashed.path, READ);
  } catch (error) {
    throw unreadable(hashed.path, error);
  }
  const stats = await file.stat();
  if (identityOf(stats) !== hashed.identity) {
    await file.close();
    throw changedFile(hashed.path);
  }
  return {
    read: (offset, length) => readRange(file, hashed.path, offset, length),
    close: () => file.close(),
  };
}

function readRange(file: FileHandle, path: string, offset: number, length: number): Readable {
  let position = offset;
  const end = offset + length;
  return new Readable({
    highWaterMark: READ_BYTES,
    read() {
      if (position === end) {
        this.push(null);
        return;
      }
      const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, end - position));
      file.read(buffer, 0, buffer.length, position).then(
        ({ bytesRead }) => {
          // A file that became shorter would leave the server waiting for bytes that never come.
          if (bytesRead === 0) this.destroy(changedFile(path));
          else {
            position += bytesRead;
            this.push(buffer.subarray(0, bytesRead));
          }
        },
        (error: unknown) => this.destroy(unreadable(path, error)),
      );
    },
  });
}
