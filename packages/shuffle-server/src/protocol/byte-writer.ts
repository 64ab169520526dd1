/**
 * Writes the values that `ByteReader` reads. The buffer grows as needed.
 *
 * Source: `common/network-common/.../protocol/Encoders.java`, the same in Spark 3.5 to 4.3.
 */
export class ByteWriter {
  #bytes: Buffer;
  #at = 0;

  constructor(expected = 64) {
    this.#bytes = Buffer.allocUnsafe(expected);
  }

  byte(value: number): this {
    // The buffer may be another one after it has grown.
    const at = this.#grow(1);
    this.#bytes.writeInt8(value, at);
    return this;
  }

  int(value: number): this {
    const at = this.#grow(4);
    this.#bytes.writeInt32BE(value, at);
    return this;
  }

  long(value: bigint): this {
    const at = this.#grow(8);
    this.#bytes.writeBigInt64BE(value, at);
    return this;
  }

  boolean(value: boolean): this {
    return this.byte(value ? 1 : 0);
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value, "utf8"));
  }

  bytes(value: Uint8Array): this {
    return this.int(value.length).raw(value);
  }

  /** Bytes without their length. */
  raw(value: Uint8Array): this {
    const start = this.#grow(value.length);
    this.#bytes.set(value, start);
    return this;
  }

  texts(values: Iterable<string> & { readonly length: number }): this {
    this.int(values.length);
    for (const value of values) this.text(value);
    return this;
  }

  ints(values: Iterable<number> & { readonly length: number }): this {
    this.int(values.length);
    for (const value of values) this.int(value);
    return this;
  }

  longs(values: BigInt64Array): this {
    this.int(values.length);
    for (const value of values) this.long(value);
    return this;
  }

  intLists(values: Int32Array, counts: Int32Array): this {
    this.int(counts.length);
    let start = 0;
    for (const count of counts) {
      this.ints(values.subarray(start, start + count));
      start += count;
    }
    return this;
  }

  /** What was written, not copied: write nothing more afterwards. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #grow(count: number): number {
    const start = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#at));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    return start;
  }
}
