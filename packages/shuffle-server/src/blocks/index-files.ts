import { closeSync, readSync, statSync, type Stats } from "node:fs";
import { RemoteError } from "../remote-error.ts";
import { openInside } from "./open-inside.ts";

/** A part of a data file, in bytes. */
export interface Segment {
  readonly offset: number;
  readonly length: number;
}

/** What tells that a file has not changed. */
type Mark = Readonly<Pick<Stats, "ino" | "dev" | "size" | "mtimeMs" | "ctimeMs">>;

interface Entry {
  readonly bytes: Buffer;
  readonly mark: Mark;
}

/** A larger index is not kept: only the two numbers are read that are needed. It has more than 32,000 partitions. */
const MOST_KEPT_BYTES = 256 * 1024;
/** All kept indexes together take at most this much. Spark's service keeps 100 MiB. */
const MOST_BYTES = 4 * 1024 * 1024;
/** The weight of an entry besides its bytes. */
const ENTRY_BYTES = 1_024;

/**
 * Reads where blocks are in a data file. An index file has one number of 64 bits for each partition, and one for the end. Some
 * indexes are kept, and used as long as the file has not changed.
 *
 * Counterpart of `ShuffleIndexInformation` and the cache of `ExternalShuffleBlockResolver` (Spark 3.5.9 and 4.1.1). It differs
 * in that a changed file is read again, and that numbers which make no sense are refused.
 */
export class IndexFiles {
  /** The entry that was used last is the last one. */
  readonly #entries = new Map<string, Entry>();
  #held = 0;

  /** How many bytes are kept. */
  get held(): number {
    return this.#held;
  }

  /**
   * Where the partitions from `start` to the one before `end` are.
   *
   * @throws RemoteError if the file has no such partitions, or they make no sense; the error of Node if it cannot be read
   */
  segment(directory: string, path: string, start: number, end: number): Segment {
    const key = `${directory}/${path}`;
    const kept = this.#current(key);
    if (kept !== undefined) return segmentOf(kept.bytes, start, end, key);
    const { fd, stats } = openInside(directory, path);
    try {
      if (stats.size > MOST_KEPT_BYTES) return readSegment(fd, stats.size, start, end, key);
      const bytes = readFully(fd, 0, stats.size, key);
      this.#keep(key, { bytes, mark: markOf(stats) });
      return segmentOf(bytes, start, end, key);
    } finally {
      closeSync(fd);
    }
  }

  removed(directory: string, path: string): void {
    this.#forget(`${directory}/${path}`);
  }

  #current(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const now = statSync(key, { throwIfNoEntry: false });
    this.#entries.delete(key);
    if (now === undefined || !isSame(entry.mark, now)) {
      this.#held -= weight(entry);
      return undefined;
    }
    this.#entries.set(key, entry);
    return entry;
  }

  #keep(key: string, entry: Entry): void {
    this.#forget(key);
    this.#entries.set(key, entry);
    this.#held += weight(entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#held <= MOST_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#held -= weight(entry);
  }
}

function weight({ bytes }: Entry): number {
  return bytes.length + ENTRY_BYTES;
}

function markOf({ ino, dev, size, mtimeMs, ctimeMs }: Stats): Mark {
  return { ino, dev, size, mtimeMs, ctimeMs };
}

function isSame(a: Mark, b: Mark): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}

function segmentOf(bytes: Buffer, start: number, end: number, path: string): Segment {
  checkPartitions(start, end, bytes.length);
  return checked(bytes.readBigInt64BE(8 * start), bytes.readBigInt64BE(8 * end), path);
}

function readSegment(fd: number, size: number, start: number, end: number, path: string): Segment {
  checkPartitions(start, end, size);
  const first = readFully(fd, 8 * start, 8, path).readBigInt64BE();
  return checked(first, readFully(fd, 8 * end, 8, path).readBigInt64BE(), path);
}

/** Bytes at the end that are not a whole number are ignored, as Spark does. */
function checkPartitions(start: number, end: number, size: number): void {
  const numbers = Math.floor(size / 8);
  for (const partition of [start, end]) {
    if (partition >= 0 && partition < numbers) continue;
    throw new RemoteError(
      "block",
      "java.lang.IndexOutOfBoundsException",
      `partition ${partition} of an index with ${numbers} numbers`,
    );
  }
}

function checked(first: bigint, next: bigint, path: string): Segment {
  if (first < 0n || next < first || next > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RemoteError(
      "damaged",
      "java.lang.IllegalArgumentException",
      `the index ${path} is damaged: a block from ${first} to ${next}`,
    );
  }
  return { offset: Number(first), length: Number(next - first) };
}

function readFully(fd: number, position: number, length: number, path: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled);
    if (count === 0) throw new RemoteError("damaged", "java.io.IOException", `the index ${path} became shorter`);
    filled += count;
  }
  return bytes;
}
