import { createHash, type Hash } from "node:crypto";
import { open, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ObjectBody, ObjectBucket } from "@kindling/object-store";
import { fileSystemError } from "../../errors/store-error.ts";

/** Bytes on their way to an object store, in a file without a name: even a large part takes no memory. */
export interface Spool {
  readonly size: number;
  write(chunks: readonly Buffer[]): Promise<void>;
  /** What was written, as a body that can be sent again and again. Nothing may be written afterwards. */
  body(): ObjectBody;
  close(): Promise<void>;
}

const READ_BYTES = 256 * 1024;

/**
 * @param name a name that no file in the folder has
 * @param checksum the hash that the store checks
 */
export async function openSpool(folder: string, name: string, checksum: ObjectBucket["checksum"]): Promise<Spool> {
  const path = join(folder, name);
  let file: FileHandle;
  try {
    file = await open(path, "wx+", 0o600);
    // The system frees the bytes when the file is closed, even if this process is killed.
    await unlink(path);
  } catch (error) {
    throw fileSystemError(error);
  }
  const hash: Hash | undefined = checksum && createHash(checksum);
  let size = 0;
  let sum: string | undefined;
  return {
    get size() {
      return size;
    },
    async write(chunks) {
      try {
        for (const chunk of chunks) {
          for (let written = 0; written < chunk.length;) {
            const { bytesWritten } = await file.write(chunk, written, chunk.length - written, size + written);
            written += bytesWritten;
          }
          hash?.update(chunk);
          size += chunk.length;
        }
      } catch (error) {
        throw fileSystemError(error);
      }
    },
    body() {
      sum ??= hash?.digest("hex") ?? "";
      return { length: size, hash: sum, open: () => readFrom(file, size) };
    },
    close: () => file.close(),
  };
}

function readFrom(file: FileHandle, size: number): Readable {
  let position = 0;
  return new Readable({
    highWaterMark: READ_BYTES,
    read() {
      if (position === size) {
        this.push(null);
        return;
      }
      const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, size - position));
      file.read(buffer, 0, buffer.length, position).then(
        ({ bytesRead }) => {
          position += bytesRead;
          if (bytesRead === 0) this.destroy(new Error("the spool file is shorter than what was written"));
          else this.push(buffer.subarray(0, bytesRead));
        },
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error("the spool file cannot be read")),
      );
    },
  });
}
