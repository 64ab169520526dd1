/** A field to write: a text, bytes, or a message made of such fields are length-delimited, a number is a varint. */
export type WrittenField = readonly [number: number, value: string | Uint8Array | number];

/** Encodes a message (Protobuf's encoding) from its fields, in the given order. */
export function writeMessage(...fields: readonly WrittenField[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number") return [varint(number * 8), varint(value)];
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

/** @param value a whole number from 0 to 2^53 */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left >= 0x80) {
    bytes.push((left % 0x80) + 0x80);
    left = Math.floor(left / 0x80);
  }
  bytes.push(left);
  return Buffer.from(bytes);
}
