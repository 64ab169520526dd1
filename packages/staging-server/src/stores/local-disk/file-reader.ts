import type { FileHandle } from "node:fs/promises";
import type { Clock } from "@kindling/outside";
import { fileSystemError, StoreError } from "../../errors/store-error.ts";
import type { BlobReader, ByteRange } from "../blob-store.ts";
import { LARGE_CHUNK, SMALL_CHUNK, type BufferPool } from "./buffer-pool.ts";

// A reader that is faster than this gets large buffers.
const FAST_BYTES_PER_MS = 64 * 1024;

interface Filled {
  readonly buffer: Buffer;
  readonly bytes: number;
}

/** Reads a range of an open file, one chunk ahead of the consumer, and closes the file at the end. */
export function fileReader(file: FileHandle, range: ByteRange, pool: BufferPool, clock: Clock): BlobReader {
  let closed: Promise<void> | undefined;
  // Nothing was written, so a failed close does not matter.
  const close = (): Promise<void> => (closed ??= file.close().catch(() => undefined));

  async function fill(position: number, large: boolean): Promise<Filled> {
    const wanted = Math.min(range.end - position, large ? LARGE_CHUNK : SMALL_CHUNK);
    const buffer = pool.take(wanted);
    try {
      const { bytesRead } = await file.read(buffer, 0, Math.min(wanted, buffer.length), position);
      if (bytesRead === 0) throw new StoreError("damaged", "the file in the store is shorter than what was stored");
      return { buffer, bytes: bytesRead };
    } catch (error) {
      pool.give(buffer);
      throw fileSystemError(error);
    }
  }

  async function* chunks(): AsyncGenerator<Buffer, void> {
    let position = range.start;
    let current: Filled | undefined;
    let ahead: Promise<Filled> | undefined;
    try {
      if (position < range.end) ahead = fill(position, false);
      while (ahead !== undefined) {
        current = await ahead;
        ahead = undefined;
        position += current.bytes;
        const asked = clock.monotonic();
        // The first chunk says nothing about the reader's speed. So one small chunk follows it, and then the size depends
        // on the speed.
        if (position < range.end) ahead = quiet(fill(position, fast));
        yield current.buffer.subarray(0, current.bytes);
        fast = current.bytes / (clock.monotonic() - asked) > FAST_BYTES_PER_MS;
        pool.give(current.buffer);
        current = undefined;
      }
    } finally {
      if (current !== undefined) pool.give(current.buffer);
      await ahead?.then(
        ({ buffer }) => pool.give(buffer),
        () => undefined,
      );
      await close();
    }
  }

  let fast = false;
  return { [Symbol.asyncIterator]: chunks, close };
}

/** Prevents an unhandled rejection for a promise that is awaited later. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
