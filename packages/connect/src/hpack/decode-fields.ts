import { DynamicTable, sizeOf } from "./dynamic-table.ts";
import { HpackError } from "./hpack-error.ts";
import { decodeHuffman } from "./huffman.ts";
import { type Field, type Fields, STATIC_TABLE } from "./static-table.ts";

/** The size of a table that was not agreed otherwise (RFC 9113, 6.5.2). */
export const TABLE_SIZE = 4096;

export interface FieldLimits {
  /** Most headers of a block. */
  readonly count: number;
  /** Most bytes of a block's headers, with 32 for each, as SETTINGS_MAX_HEADER_LIST_SIZE counts them. */
  readonly bytes: number;
}

/** The largest whole number that a client needs: a length, or an index. */
const LARGEST = 2 ** 21;

/** Decodes the headers of one connection, block after block (RFC 7541). */
export class FieldDecoder {
  readonly #table = new DynamicTable(TABLE_SIZE);
  readonly #limits: FieldLimits;

  constructor(limits: FieldLimits) {
    this.#limits = limits;
  }

  /**
   * @throws HpackError if the block cannot be decoded, or has more than the limits say: a small block may stand for very
   * large headers
   */
  decode(block: Buffer): Fields {
    const fields: Field[] = [];
    const cursor = new Cursor(block);
    let bytes = 0;
    while (!cursor.isAtEnd) {
      const first = cursor.first();
      if ((first & 0xe0) === 0x20) {
        if (fields.length > 0) throw new HpackError("the size of a table changes in the middle of headers");
        this.#resize(cursor.integer(5));
        continue;
      }
      const field = this.#next(first, cursor);
      bytes += sizeOf(field);
      if (fields.length === this.#limits.count || bytes > this.#limits.bytes)
        throw new HpackError(`headers have more than ${this.#limits.count} fields or ${this.#limits.bytes} bytes`);
      fields.push(field);
    }
    return fields;
  }

  #next(first: number, cursor: Cursor): Field {
    if ((first & 0x80) !== 0) return this.#at(cursor.integer(7));
    const isAdded = (first & 0x40) !== 0;
    const index = cursor.integer(isAdded ? 6 : 4);
    const name = index === 0 ? cursor.text() : this.#at(index)[0];
    const field = [name, cursor.text()] as const;
    if (isAdded) this.#table.add(field);
    return field;
  }

  #at(index: number): Field {
    const field =
      index <= STATIC_TABLE.length ? STATIC_TABLE[index - 1] : this.#table.at(index - STATIC_TABLE.length - 1);
    if (field === undefined) throw new HpackError(`headers name number ${index}, which is in no table`);
    return field;
  }

  #resize(size: number): void {
    if (size > TABLE_SIZE) throw new HpackError(`a table of ${size} bytes is larger than was agreed`);
    this.#table.resize(size);
  }
}

/** Reads a block from its beginning to its end. */
class Cursor {
  readonly #block: Buffer;
  #at = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#block.length;
  }

  /** The next byte, which stays. */
  first(): number {
    return this.#block[this.#at] ?? 0;
  }

  /** @param prefix how many bits of the first byte belong to it */
  integer(prefix: number): number {
    const most = 2 ** prefix - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (value > LARGEST) throw new HpackError("a number in headers is too large");
      if (byte < 0x80) return value;
      if (factor > LARGEST) throw new HpackError("a number in headers has no end");
    }
  }

  text(): string {
    const isHuffman = (this.first() & 0x80) !== 0;
    const length = this.integer(7);
    const end = this.#at + length;
    if (end > this.#block.length) throw new HpackError("headers end within a text");
    const bytes = this.#block.subarray(this.#at, end);
    this.#at = end;
    return isHuffman ? decodeHuffman(bytes) : bytes.toString("latin1");
  }

  #byte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw new HpackError("headers end within a number");
    this.#at += 1;
    return byte;
  }
}
