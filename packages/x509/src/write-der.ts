/** Writes ASN.1 values in DER (ITU-T X.690). */

/** A value with its tag and its length. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOctets(content.length), content]);
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  return Buffer.concat([Buffer.from([0x80 | octets.length]), octets]);
}

export function derSequence(...members: readonly Uint8Array[]): Buffer {
  return der(0x30, ...members);
}

export function derSet(...members: readonly Uint8Array[]): Buffer {
  return der(0x31, ...members);
}

/** A whole number, not negative, given by its big-endian bytes. */
export function derInteger(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const trimmed = bytes.subarray(start);
  // A leading one bit would make it negative.
  return (trimmed[0] ?? 0) >= 0x80 ? der(0x02, Buffer.from([0]), trimmed) : der(0x02, trimmed);
}

export function derBoolean(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

export function derUtf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

export function derOctets(content: Uint8Array): Buffer {
  return der(0x04, content);
}

/** A bit string; its last `unused` bits do not count. */
export function derBits(content: Uint8Array, unused: number = 0): Buffer {
  return der(0x03, Buffer.from([unused]), content);
}

/** An object identifier in dotted notation. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** A time: two digits of the year until 2049, four from then on (RFC 5280, section 4.1.2.5). */
export function derTime(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return Number(text.slice(0, 4)) < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

/** A context-specific tag around a value (`constructed`), or instead of its own. */
export function derContext(number: number, content: Uint8Array, constructed: boolean): Buffer {
  return der((constructed ? 0xa0 : 0x80) | number, content);
}
