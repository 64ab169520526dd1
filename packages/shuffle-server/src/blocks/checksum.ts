import * as zlib from "node:zlib";

/** The algorithms of `spark.shuffle.checksum.algorithm`: ADLER32 and CRC32 since Spark 3.2, CRC32C since 4.0. */
export type ChecksumAlgorithm = "ADLER32" | "CRC32" | "CRC32C";

/** A checksum of bytes that come in pieces. */
export interface Checksum {
  update(bytes: Buffer): void;
  /** 32 bits without a sign, as Java's `Checksum.getValue`. */
  readonly value: number;
}

/** A new checksum, or undefined for an algorithm that is unknown. Source: `ShuffleChecksumHelper`, Spark 4.1.1. */
export function checksum(algorithm: string): Checksum | undefined {
  switch (algorithm) {
    case "ADLER32":
      return new Adler32();
    case "CRC32":
      return new Crc32();
    case "CRC32C":
      return new Crc32C();
    default:
      return undefined;
  }
}

// RFC 1950, section 9: the largest prime below 2^16, and how many bytes can be added before the sums must be reduced.
const ADLER_BASE = 65_521;
const ADLER_BLOCK = 5_552;

class Adler32 implements Checksum {
  #a = 1;
  #b = 0;

  update(bytes: Buffer): void {
    let a = this.#a;
    let b = this.#b;
    for (let start = 0; start < bytes.length; start += ADLER_BLOCK) {
      const end = Math.min(start + ADLER_BLOCK, bytes.length);
      for (let index = start; index < end; index++) {
        a += bytes[index] ?? 0;
        b += a;
      }
      a %= ADLER_BASE;
      b %= ADLER_BASE;
    }
    this.#a = a;
    this.#b = b;
  }

  get value(): number {
    return this.#b * 0x1_0000 + this.#a;
  }
}

class Crc32 implements Checksum {
  #crc = 0;

  update(bytes: Buffer): void {
    this.#crc = zlib.crc32(bytes, this.#crc);
  }

  get value(): number {
    return this.#crc;
  }
}

/** Castagnoli's polynomial, with its bits in reverse (RFC 3720, appendix B.4). */
const CASTAGNOLI = 0x82f6_3b78;

class Crc32C implements Checksum {
  readonly #table = crcTable(CASTAGNOLI);
  #crc = -1;

  update(bytes: Buffer): void {
    let crc = this.#crc;
    for (const byte of bytes) crc = (crc >>> 8) ^ (this.#table[(crc ^ byte) & 0xff] ?? 0);
    this.#crc = crc;
  }

  get value(): number {
    return (this.#crc ^ -1) >>> 0;
  }
}

function crcTable(polynomial: number): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    return crc;
  });
}
