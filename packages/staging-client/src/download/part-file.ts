import { constants } from "node:fs";
import { lstat, open, rename, rm, unlink, writeFile, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "@kindling/core-spec";
import { StagingError } from "../errors.ts";
import type { Digester } from "../protocol/digest.ts";
import type { ByteSink } from "../transfer/receive.ts";

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** A file while it is being downloaded: beside its target, under a name that cannot be confused with the finished file. */
export interface PartFile extends ByteSink {
  readonly path: string;
  /** How much of it is written. */
  readonly size: number;
  /** The validator of the version that its bytes come from, if this run or an earlier one recorded it. */
  readonly validator: string | undefined;
  /** Records the version of the next bytes, for a later run. */
  remember(validator: string | undefined): Promise<void>;
  /** Drops all bytes from an offset on. */
  truncate(size: number): Promise<void>;
  /** Reads the written bytes into a digest. */
  digestInto(digest: Digester, signal: AbortSignal): Promise<void>;
  /** Flushes to disk and sets the permission bits. */
  seal(mode: number): Promise<void>;
  /** Makes the file appear under its target's name, for good: the rename is on disk when this resolves. */
  publish(): Promise<void>;
  /** Removes it. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the `.part` of a target, and continues that of an earlier run. It never follows a link: a volume that was used
 * before may have anything under that name.
 *
 * @throws StagingError `file`
 */
export async function openPart(target: string): Promise<PartFile> {
  const path = `${target}.part`;
  try {
    return await partFile(path, target, await createOrReuse(path));
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

async function partFile(path: string, target: string, file: FileHandle): Promise<PartFile> {
  let { size } = await file.stat();
  const note = `${path}.etag`;
  // A note without bytes is a leftover.
  let validator = size > 0 ? await readNote(note) : undefined;
  let noted = true;
  return {
    path,
    get size() {
      return size;
    },
    get validator() {
      return validator;
    },
    async remember(value) {
      if (noted) await rm(note, { force: true });
      noted = value !== undefined;
      validator = value;
      if (value !== undefined) await writeFile(note, value, { flag: "wx", mode: 0o600 });
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
    async publish() {
      try {
        if (noted) await rm(note, { force: true });
        await rename(path, target);
        const directory = await open(dirname(target), O_RDONLY);
        try {
          await directory.sync();
        } finally {
          await directory.close();
        }
      } catch (error) {
        throw unwritable(target, error);
      }
    },
    async discard() {
      await rm(note, { force: true });
      await unlink(path);
    },
    close: () => file.close(),
  };
}

async function readNote(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
      const text = buffer.toString("latin1", 0, bytesRead);
      return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(text) ? text : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
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
