/** The distinguished encoding rules of ASN.1 (X.690), as far as the messages of Kerberos use them (RFC 4120, section 5). */

import { der, derContent, derElements, DerError, derOctets, derSequence, readDer } from "@kindling/x509";

/** The numbers of the types that Kerberos uses. */
const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  generalString: 0x1b,
  time: 0x18,
  sequence: 0x30,
} as const;

/** A member of a sequence with its number: EXPLICIT tags, as in all of Kerberos. */
export function member(number: number, ...contents: readonly Uint8Array[]): Buffer {
  return der(0xa0 + number, ...contents);
}

/** A message or a part of one with the number of its kind. */
export function application(number: number, ...contents: readonly Uint8Array[]): Buffer {
  return der(0x60 + number, ...contents);
}

/** A whole number of at most 48 bits, also a negative one: in two's complement, in as few bytes as possible. */
export function integer(value: number): Buffer {
  const bytes = Buffer.alloc(7);
  bytes.writeIntBE(Math.floor(value / 2 ** 24), 0, 4);
  bytes.writeUIntBE(((value % 2 ** 24) + 2 ** 24) % 2 ** 24, 4, 3);
  let start = 0;
  while (start < 6 && isRedundant(bytes[start] ?? 0, bytes[start + 1] ?? 0)) start++;
  return der(TAG.integer, bytes.subarray(start));
}

function isRedundant(byte: number, next: number): boolean {
  return (byte === 0x00 && next < 0x80) || (byte === 0xff && next >= 0x80);
}

export {
  der as encode,
  derContent as contentOf,
  derElements as elements,
  DerError,
  derOctets as octetString,
  derSequence as sequence,
  readDer as decode,
};

/** KerberosString: a GeneralString, which all implementations fill with UTF-8 (RFC 4120, 5.2.1). */
export function text(value: string): Buffer {
  return der(TAG.generalString, Buffer.from(value));
}

/** KerberosFlags: 32 bits. The first one is the highest (RFC 4120, 5.2.8). */
export function flags(bits: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(bits >>> 0, 1);
  return der(TAG.bitString, bytes);
}

/** KerberosTime: to the second, in UTC (RFC 4120, 5.2.3). */
export function time(epochMillis: number): Buffer {
  const digits = new Date(epochMillis).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "");
  return der(TAG.time, Buffer.from(`${digits}Z`));
}

/** @param content the identifier's own octets, without tag and length */
export function objectId(content: Uint8Array): Buffer {
  return der(TAG.objectId, content);
}

/** The members of a sequence by their numbers. */
export interface Members {
  /** The encoded value; throws a `DerError` if there is none. */
  get(number: number): Buffer;
  find(number: number): Buffer | undefined;
}

/** @throws DerError if the bytes are no sequence of numbered members */
export function members(bytes: Buffer): Members {
  const all = new Map(derElements(derContent(bytes, TAG.sequence)).map(({ tag, content }) => [tag - 0xa0, content]));
  return {
    find: (number) => all.get(number),
    get(number) {
      const found = all.get(number);
      if (found === undefined) throw new DerError(`member ${number} is missing`);
      return found;
    },
  };
}

/** The values in a SEQUENCE OF. @throws DerError */
export function sequenceOf(bytes: Buffer): Buffer[] {
  return derElements(derContent(bytes, TAG.sequence)).map(({ raw }) => raw);
}

/** @throws DerError */
export function readInteger(bytes: Buffer): number {
  const content = derContent(bytes, TAG.integer);
  if (content.length === 0 || content.length > 6) throw new DerError("a number that is too large");
  return content.readIntBE(0, content.length);
}

/** @throws DerError */
export function readOctets(bytes: Buffer): Buffer {
  return derContent(bytes, TAG.octetString);
}

/** A text in any of ASN.1's types of strings. @throws DerError */
export function readText(bytes: Buffer): string {
  return readDer(bytes).content.toString("utf8");
}

/** Milliseconds since the epoch. @throws DerError */
export function readTime(bytes: Buffer): number {
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(derContent(bytes, TAG.time).toString("latin1"));
  if (digits === null) throw new DerError("a time that cannot be read");
  const [year = 0, month = 0, day, hours, minutes, seconds] = digits.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hours, minutes, seconds);
}
