import { constants } from "node:fs";
import { lstat, open, unlink, type FileHandle } from "node:fs/promises";
import { messageOf } from "@kindling/core-spec";
import { StagingError } from "../errors.ts";
import type { Digester } from "../protocol/digest.ts";
import type { ByteSink } from "../transfer/receive.ts";

const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** A file while it is being downloaded: beside its target, under a name that nobody takes for the finished one. */
export interface PartFile extends ByteSink {
  readonly path: string;
  /** How much of it is written. */
  readonly size: number;
  /** Drops all bytes from an offset on. */
  truncate(size: number): Promise<void>;
  /** Runs what is written through a digest. */
  digestInto(digest: Digester, signal: AbortSignal): Promise<void>;
  /** Flushes to disk and sets the permission bits. */
  seal(mode: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the `.part` of a target, going on with one that an earlier run left. Never through a link: a volume that was
 * used before may hold anything under that name.
 *
 * @throws StagingError `file`
 */
export async function openPart(target: string): Promise<PartFile> {
  const path = `${target}.part`;
  try {
    return await partFile(path, await createOrReuse(path));
  } catch (error) {
    throw unwritable(path, error);
  }
}

async function createOrReuse(path: string): Promise<FileHandle> {
  try {
    return await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const seen = await lstat(path);
  if (seen.isFile() && seen.nlink === 1) {
    const file = await open(path, O_RDWR | O_NOFOLLOW);
    const opened = await file.stat();
    if (opened.ino === seen.ino && opened.dev === seen.dev && opened.nlink === 1) return file;
    await file.close();
  }
  await unlink(path);
  return await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

async function partFile(path: string, file: FileHandle): Promise<PartFile> {
  let { size } = await file.stat();
  return {
    path,
    get size() {
      return size;
    },
    async write(chunks) {
      try {
        let pending = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
        let rest: readonly Buffer[] = chunks;
        while (pending > 0) {
          const { bytesWritten } = await file.writev(rest, size);
          size += bytesWritten;
          pending -= bytesWritten;
          if (pending > 0) rest = dropBytes(rest, bytesWritten);
        }
      } catch (error) {
        throw unwritable(path, error);
      }
    },
    async truncate(length) {
      await file.truncate(length);
      size = length;
    },
    async digestInto(digest, signal) {
      const buffer = Buffer.allocUnsafeSlow(256 * 1024);
      for (let position = 0; position < size && !signal.aborted;) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - position), position);
        if (bytesRead === 0) throw new StagingError("file", `${path} became shorter while it was read`);
        digest.update(buffer.subarray(0, bytesRead));
        position += bytesRead;
      }
    },
    async seal(mode) {
      try {
        await file.chmod(mode);
        await file.sync();
      } catch (error) {
        throw unwritable(path, error);
      }
    },
    close: () => file.close(),
  };
}

function dropBytes(chunks: readonly Buffer[], bytes: number): Buffer[] {
  const rest: Buffer[] = [];
  let drop = bytes;
  for (const chunk of chunks) {
    if (drop >= chunk.length) drop -= chunk.length;
    else {
      rest.push(drop > 0 ? chunk.subarray(drop) : chunk);
      drop = 0;
    }
  }
  return rest;
}

export function unwritable(path: string, error: unknown): StagingError {
  if (error instanceof StagingError) return error;
  const full = (error as NodeJS.ErrnoException).code === "ENOSPC" || (error as NodeJS.ErrnoException).code === "EDQUOT";
  return new StagingError("file", `cannot write ${path}: ${messageOf(error)}`, {
    cause: error,
    ...(full && { hint: "the volume is full; give it more room" }),
  });
}
