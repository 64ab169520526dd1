/** Reads the numbers and texts of MIT's files, highest byte first. Throws a RangeError at the end of the bytes. */
export class BytesReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  isAtEnd(): boolean {
    return this.left <= 0;
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("it ends too early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  uint16(): number {
    return this.take(2).readUInt16BE();
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  int32(): number {
    return this.take(4).readInt32BE();
  }

  /** With its length in four bytes in front. */
  data(): Buffer {
    return this.take(this.uint32());
  }

  /** With its length in two bytes in front. */
  shortData(): Buffer {
    return this.take(this.uint16());
  }
}
