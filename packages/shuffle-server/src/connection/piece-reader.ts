import { read, readSync } from "node:fs";

/** A slower read waited for the disk. A piece of memory is copied in a twentieth of this time. */
const SLOW_MS = 2;
/** After a slow read, others do not wait for the disk in this time. */
const CAREFUL_MS = 1_000;

/**
 * Reads pieces of files. What is in the machine's memory, as most shuffle files are soon after they were written, is read at
 * once: that takes half as much of the processor as a detour through Node's threads. After a read that had to wait for the
 * disk, the threads are used for a second, so that one slow disk does not stop all connections.
 */
export class PieceReader {
  readonly #now: () => number;
  #carefulUntil = 0;

  /** @param now milliseconds that only ever grow, with fractions */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reads up to this many bytes to a place in a buffer, and says how many; 0 is the end of the file. */
  read(fd: number, into: Buffer, at: number, length: number, position: number): number | Promise<number> {
    const start = this.#now();
    if (start < this.#carefulUntil) return this.readInThread(fd, into, at, length, position);
    const count = readSync(fd, into, at, length, position);
    const end = this.#now();
    if (end - start > SLOW_MS) this.#carefulUntil = end + CAREFUL_MS;
    return count;
  }

  /** The same without ever stopping other connections. */
  readInThread(fd: number, into: Buffer, at: number, length: number, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      read(fd, into, at, length, position, (error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }
}
