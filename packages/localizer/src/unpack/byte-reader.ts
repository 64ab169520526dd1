import { ArchiveFault } from "./archive-entry.ts";

/** Reads a stream of chunks in pieces of other sizes. */
export interface ByteReader {
  /** Exactly this many bytes, valid until the next call. @throws ArchiveFault if there are fewer */
  exactly(length: number): Buffer | Promise<Buffer>;
  /** The next bytes, at least one and at most this many. @throws ArchiveFault at the end */
  some(most: number): Buffer | Promise<Buffer>;
  /** Skips this many bytes. @throws ArchiveFault if there are fewer */
  skip(length: number): Promise<void>;
  /** The bytes that are left, in chunks. */
  rest(): AsyncIterable<Buffer>;
}

/** Returns without a promise if the bytes are in memory: otherwise archives of many small files would mostly wait. */
export function byteReader(source: AsyncIterator<Buffer>): ByteReader {
  let chunk: Buffer = Buffer.alloc(0);

  const take = (length: number): Buffer => {
    const taken = chunk.subarray(0, length);
    chunk = chunk.subarray(length);
    return taken;
  };
  const more = async (): Promise<boolean> => {
    const next = await source.next();
    if (next.done === true) return false;
    chunk = chunk.length === 0 ? next.value : Buffer.concat([chunk, next.value]);
    return true;
  };
  const fill = async (length: number): Promise<void> => {
    while (chunk.length < length) if (!(await more())) throw new ArchiveFault("it ends too early");
  };
  const reader: ByteReader = {
    exactly: (length) => (chunk.length >= length ? take(length) : fill(length).then(() => take(length))),
    some: (most) => (chunk.length > 0 ? take(most) : fill(1).then(() => take(most))),
    async skip(length) {
      for (let left = length; left > 0;) left -= (await reader.some(left)).length;
    },
    async *rest() {
      do {
        if (chunk.length > 0) yield take(chunk.length);
      } while (await more());
    },
  };
  return reader;
}
