/** Bytes that are not what the protocol says: a length that lies, or a text that ends too early. */
export class MalformedError extends Error {
  override readonly name = "MalformedError";
}

/**
 * Reads the values of Spark's `Encoders` from bytes: numbers with the highest byte first, texts and lists with their length
 * before them. A length is compared with the bytes that are there before anything is allocated.
 *
 * Source: `common/network-common/.../protocol/Encoders.java`, the same in Spark 3.5 to 4.3.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** @throws MalformedError like all methods, if there are too few bytes */
  byte(): number {
    return this.#bytes.readInt8(this.#skip(1));
  }

  int(): number {
    return this.#bytes.readInt32BE(this.#skip(4));
  }

  long(): bigint {
    return this.#bytes.readBigInt64BE(this.#skip(8));
  }

  boolean(): boolean {
    return this.byte() !== 0;
  }

  text(): string {
    const length = this.#length(1);
    const start = this.#skip(length);
    return this.#bytes.toString("utf8", start, start + length);
  }

  bytes(): Buffer {
    return this.slice(this.#length(1));
  }

  /** The next bytes, not copied. */
  slice(length: number): Buffer {
    const start = this.#skip(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** All that is left, not copied. */
  rest(): Buffer {
    return this.slice(this.left);
  }

  /** A list of texts, which are made when they are asked for: a client may send millions. */
  texts(): Texts {
    const count = this.#length(4);
    const start = this.#at;
    for (let index = 0; index < count; index++) this.#skip(this.#length(1));
    return new Texts(this.#bytes.subarray(start, this.#at), count);
  }

  ints(): Int32Array {
    const count = this.#length(4);
    const values = new Int32Array(count);
    for (let index = 0; index < count; index++) values[index] = this.int();
    return values;
  }

  longs(): BigInt64Array {
    const count = this.#length(8);
    const values = new BigInt64Array(count);
    for (let index = 0; index < count; index++) values[index] = this.long();
    return values;
  }

  /** A list of lists, as one list after the other, and the length of each. */
  intLists(): { readonly values: Int32Array; readonly counts: Int32Array } {
    const lists = this.#length(4);
    const counts = new Int32Array(lists);
    // Each list has its length before it, so there are at most as many values as this.
    const values = new Int32Array((this.left - 4 * lists) >> 2);
    let filled = 0;
    for (let list = 0; list < lists; list++) {
      const count = this.#length(4);
      counts[list] = count;
      for (let index = 0; index < count; index++) values[filled++] = this.int();
    }
    return { values: values.length === filled ? values : values.slice(0, filled), counts };
  }

  /** How many things follow, each of which has at least this many bytes. */
  #length(least: number): number {
    const length = this.int();
    if (length < 0 || length * least > this.left) {
      throw new MalformedError(`a length of ${length} with ${this.left} bytes left`);
    }
    return length;
  }

  #skip(count: number): number {
    if (count > this.left) throw new MalformedError(`${count} bytes are needed, and ${this.left} are left`);
    const start = this.#at;
    this.#at += count;
    return start;
  }
}

/** Texts in the bytes of a message. The bytes stay in memory as long as this does. */
export class Texts implements Iterable<string> {
  readonly length: number;
  readonly #bytes: Buffer;

  /** @param bytes texts, each with its length before it */
  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes;
    this.length = length;
  }

  /** What it keeps in memory. */
  get byteLength(): number {
    return this.#bytes.length;
  }

  *[Symbol.iterator](): Iterator<string> {
    const reader = new ByteReader(this.#bytes);
    for (let index = 0; index < this.length; index++) yield reader.text();
  }
}
