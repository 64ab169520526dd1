import { MalformedError } from "./byte-reader.ts";

const LENGTH_BYTES = 8;
const SMALL_BYTES = 32 * 1024;

/**
 * The longest frame of a client that is read, in bytes: a request for 260,000 blocks has as many. Spark asks for less than ten
 * megabytes of blocks at once, so blocks would have to be smaller than 40 bytes for a larger request.
 */
export const MOST_FRAME_BYTES: number = 4 * 1024 * 1024;

/**
 * Takes frames from the bytes of a connection: eight bytes with the length of the whole frame, then its content. Frames are
 * taken one at a time, so that the caller decides how many wait.
 *
 * Counterpart of `TransportFrameDecoder`; it differs in the limit, which is `Integer.MAX_VALUE` there.
 */
export class FrameReader {
  readonly #most: number;
  #chunks: Buffer[] = [];
  /** Where the unread bytes of the first chunk begin. */
  #at = 0;
  #held = 0;

  constructor(mostBytes: number = MOST_FRAME_BYTES) {
    this.#most = mostBytes;
  }

  /** How many bytes wait, in frames that nobody has taken. */
  get held(): number {
    return this.#held;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    this.#joinSmall();
  }

  clear(): void {
    this.#chunks = [];
    this.#at = 0;
    this.#held = 0;
  }

  /**
   * The content of the next frame, if all of it is there. It may share memory with what was pushed.
   *
   * @throws MalformedError for a frame that is empty or longer than the limit, as soon as its length is known
   */
  next(): Buffer | undefined {
    if (this.#held < LENGTH_BYTES) return undefined;
    const length = this.#frameLength();
    if (this.#held < LENGTH_BYTES + length) return undefined;
    this.#take(LENGTH_BYTES);
    return this.#take(length);
  }

  /**
   * Joins small chunks at the end, like the digits of a counter. Otherwise a client that sends single bytes would make
   * millions of buffers.
   */
  #joinSmall(): void {
    for (;;) {
      const last = this.#chunks.at(-1);
      const before = this.#chunks.length > 2 ? this.#chunks.at(-2) : undefined;
      if (last === undefined || before === undefined || last.length < before.length || last.length >= SMALL_BYTES) {
        return;
      }
      this.#chunks.splice(-2, 2, Buffer.concat([before, last]));
    }
  }

  #frameLength(): number {
    const start = this.#first(LENGTH_BYTES);
    // Two halves, because a BigInt for each frame would be slower.
    const high = start.readInt32BE(this.#at);
    const length = high * 0x1_0000_0000 + start.readUInt32BE(this.#at + 4) - LENGTH_BYTES;
    if (length <= 0) throw new MalformedError(`a frame of ${length} bytes`);
    if (length > this.#most) {
      throw new MalformedError(`a frame of ${length} bytes, and at most ${this.#most} are read`);
    }
    return length;
  }

  /** The first chunk, after others were joined to it until it has this many unread bytes. So many must be there. */
  #first(length: number): Buffer {
    const first = this.#chunks[0] ?? Buffer.alloc(0);
    let there = first.length - this.#at;
    if (there >= length) return first;
    const parts = [first.subarray(this.#at)];
    let count = 1;
    for (; there < length; count++) {
      const next = this.#chunks[count] ?? Buffer.alloc(0);
      parts.push(next);
      there += next.length;
    }
    const joined = Buffer.concat(parts, there);
    this.#chunks.splice(0, count, joined);
    this.#at = 0;
    return joined;
  }

  #take(length: number): Buffer {
    const first = this.#first(length);
    const taken = first.subarray(this.#at, this.#at + length);
    this.#at += length;
    this.#held -= length;
    if (this.#at === first.length) {
      this.#chunks.shift();
      this.#at = 0;
    }
    return taken;
  }
}
