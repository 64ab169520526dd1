import { Column, numbers } from "./columns.ts";

const CHUNK_BYTES = 1024 * 1024;

interface Chunk {
  readonly bytes: Buffer;
  used: number;
  /** How many lines in it are still wanted. */
  lines: number;
}

/**
 * Lines of bytes by their row. A Buffer for each of them would take as much memory again as a line; here many share one. It is
 * given back when none of its lines is wanted any more: lines that come together mostly go together.
 */
export class Lines {
  readonly #chunks: (Chunk | undefined)[] = [];
  /** The number of its chunk plus 1; 0 for a row without a line. */
  readonly #chunk = new Column(numbers);
  readonly #start = new Column(numbers);
  readonly #length = new Column(numbers);

  /** The bytes are copied. */
  set(row: number, line: Uint8Array): void {
    this.clear(row);
    const number = this.#chunkFor(line.length);
    const chunk = this.#chunks[number];
    if (chunk === undefined) return;
    chunk.bytes.set(line, chunk.used);
    this.#chunk.set(row, number + 1);
    this.#start.set(row, chunk.used);
    this.#length.set(row, line.length);
    chunk.used += line.length;
    chunk.lines++;
  }

  clear(row: number): void {
    const number = this.#chunk.at(row) - 1;
    const chunk = this.#chunks[number];
    if (chunk === undefined) return;
    this.#chunk.set(row, 0);
    chunk.lines--;
    const isLast = number === this.#chunks.length - 1;
    if (chunk.lines === 0 && !isLast) this.#chunks[number] = undefined;
  }

  /** The bytes of a line; they are not a copy. */
  at(row: number): Buffer | undefined {
    const chunk = this.#chunks[this.#chunk.at(row) - 1];
    const start = this.#start.at(row);
    return chunk?.bytes.subarray(start, start + this.#length.at(row));
  }

  /** The number of a chunk that has so many bytes left. */
  #chunkFor(bytes: number): number {
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.used + bytes <= last.bytes.length) return this.#chunks.length - 1;
    if (last?.lines === 0) this.#chunks[this.#chunks.length - 1] = undefined;
    const size = Math.max(CHUNK_BYTES, bytes);
    return this.#chunks.push({ bytes: Buffer.allocUnsafeSlow(size), used: 0, lines: 0 }) - 1;
  }
}
