import { ArchiveFault } from "./archive-entry.ts";

export const BLOCK = 512;

/** A header block of a tar archive (POSIX.1-1988 ustar, GNU tar, and the older v7 format). */
export interface TarHeader {
  readonly name: string;
  readonly mode: number;
  readonly size: number;
  readonly type: string;
  readonly linkName: string;
}

/** Reads a header block; `undefined` for the block of zeros that ends an archive. @throws ArchiveFault */
export function parseTarHeader(block: Buffer): TarHeader | undefined {
  if (isZero(block)) return undefined;
  if (octal(block, 148, 8) !== checksum(block)) {
    throw new ArchiveFault("it is no tar archive, or damaged: a header has a wrong checksum");
  }
  // "ustar\0" is POSIX, "ustar " GNU; GNU has other data in the place of the prefix.
  const posix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = posix ? text(block, 345, 155) : "";
  const name = text(block, 0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    mode: number(block, 100, 8),
    size: number(block, 124, 12),
    type: block[156] === 0 ? "0" : String.fromCharCode(block[156] ?? 0),
    linkName: text(block, 157, 100),
  };
}

export function isZero(bytes: Buffer): boolean {
  // The first byte is zero, and each byte equals the one before it.
  return bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1));
}

/** The sum of all bytes; the bytes of the checksum itself count as blanks. */
function checksum(block: Buffer): number {
  let sum = 8 * 32;
  for (let index = 0; index < BLOCK; index++) if (index < 148 || index >= 156) sum += block[index] ?? 0;
  return sum;
}

/** Octal digits, or GNU's base 256 if the first bit is set. */
function number(block: Buffer, offset: number, length: number): number {
  const first = block[offset] ?? 0;
  if ((first & 0x80) === 0) {
    const value = octal(block, offset, length);
    if (value === undefined) throw new ArchiveFault("a header has an invalid number");
    return value;
  }
  if (first !== 0x80) throw new ArchiveFault("a header has a negative or enormous number");
  let value = 0;
  for (let index = offset + 1; index < offset + length; index++) value = value * 256 + (block[index] ?? 0);
  if (!Number.isSafeInteger(value)) throw new ArchiveFault("a header has an enormous number");
  return value;
}

function octal(block: Buffer, offset: number, length: number): number | undefined {
  const field = block.toString("latin1", offset, offset + length);
  const [, value] = /^ *([0-7]*)[\0 ]*$/.exec(field) ?? [];
  return value === undefined ? undefined : value === "" ? 0 : Number.parseInt(value, 8);
}

function text(block: Buffer, offset: number, length: number): string {
  const end = block.indexOf(0, offset);
  return decodeName(block.subarray(offset, end === -1 || end > offset + length ? offset + length : end));
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws ArchiveFault for a name that is not UTF-8; Spark could not use it either */
export function decodeName(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ArchiveFault("a name in it is not UTF-8");
  }
}
