import { ProtobufError } from "./protobuf-error.ts";

/** A length-delimited field at the top of a message. */
export interface ScannedField {
  readonly number: number;
  readonly value: Buffer;
}

/** Wire types that a message may have (Protobuf's encoding; groups are gone since proto3). */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

const LONGEST_VARINT = 10;
/** A longer value is only counted. */
const LONGEST_KEPT = 64 * 1024;

/** Where the scanner is: between the bytes of a number, or in a value. */
type Expectation = "tag" | "varint" | "length" | "value";

/**
 * Finds the top-level fields of a Protobuf message while its bytes pass by, and checks that it ends with the end of a field.
 * It keeps no more than the wanted values, so a message of any size needs little memory.
 */
export class FieldScanner {
  readonly #wanted: ReadonlySet<number>;
  readonly #onField: (field: ScannedField) => void;
  /** Bytes of the message that have not come yet. */
  #left: number;
  #expected: Expectation = "tag";
  #number = 0;
  #varint = 0;
  #varintBytes = 0;
  #valueLeft = 0;
  #kept: Buffer[] | undefined;

  /**
   * @param length of the message, bytes
   * @param wanted numbers of the fields that `onField` is told of
   */
  constructor(length: number, wanted: ReadonlySet<number>, onField: (field: ScannedField) => void) {
    this.#left = length;
    this.#wanted = wanted;
    this.#onField = onField;
  }

  /**
   * Scans the next bytes of the message; more than the message has must not be given.
   *
   * @throws ProtobufError if this cannot be a message
   */
  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#expected === "value") at += this.#value(bytes, at);
      else {
        this.#left -= 1;
        this.#byte(bytes[at] ?? 0);
        at += 1;
      }
    }
    if (this.#left === 0 && (this.#expected !== "tag" || this.#varintBytes > 0))
      throw new ProtobufError("the message ends in the middle of a field");
  }

  /** Takes a byte of a number. Numbers above 2^53 are only skipped, so their loss of digits does no harm. */
  #byte(byte: number): void {
    this.#varint += (byte & 0x7f) * 2 ** (7 * this.#varintBytes);
    this.#varintBytes += 1;
    if (this.#varintBytes > LONGEST_VARINT) throw new ProtobufError("a number has more than ten bytes");
    if (byte >= 0x80) return;
    const value = this.#varint;
    this.#varint = 0;
    this.#varintBytes = 0;
    if (this.#expected === "tag") this.#tag(value);
    else if (this.#expected === "length") this.#begin(value);
    else this.#expected = "tag";
  }

  #tag(tag: number): void {
    this.#number = Math.floor(tag / 8);
    if (this.#number === 0 || tag > 0xffffffff) throw new ProtobufError("a field has no valid number");
    switch (tag % 8) {
      case VARINT:
        this.#expected = "varint";
        break;
      case FIXED64:
        this.#begin(8, false);
        break;
      case LENGTH_DELIMITED:
        this.#expected = "length";
        break;
      case FIXED32:
        this.#begin(4, false);
        break;
      default:
        throw new ProtobufError(`field ${this.#number} is a group, which is not supported`);
    }
  }

  #begin(length: number, mayKeep = true): void {
    if (length > this.#left) throw new ProtobufError(`field ${this.#number} is longer than its message`);
    const isKept = mayKeep && this.#wanted.has(this.#number);
    if (isKept && length > LONGEST_KEPT) throw new ProtobufError(`field ${this.#number} is too long`);
    this.#kept = isKept ? [] : undefined;
    this.#valueLeft = length;
    this.#expected = "value";
    if (length === 0) this.#end();
  }

  #value(bytes: Buffer, at: number): number {
    const count = Math.min(this.#valueLeft, bytes.length - at);
    this.#kept?.push(bytes.subarray(at, at + count));
    this.#valueLeft -= count;
    this.#left -= count;
    if (this.#valueLeft === 0) this.#end();
    return count;
  }

  #end(): void {
    this.#expected = "tag";
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept !== undefined) this.#onField({ number: this.#number, value: Buffer.concat(kept) });
  }
}
