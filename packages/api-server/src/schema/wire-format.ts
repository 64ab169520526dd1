/** A field of a protobuf message: a number, or bytes (texts, messages and fixed 64-bit values). */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/** A message is cut off or not a message at all. */
export class WireFormatError extends Error {}

/**
 * Reads the fields of a message in their order (protobuf encoding, wire types 0, 1, 2 and 5).
 *
 * @throws WireFormatError
 */
export function readWireFields(message: Buffer): WireField[] {
  const fields: WireField[] = [];
  let at = 0;

  function varint(): bigint {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at];
      if (byte === undefined) break;
      at += 1;
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, result);
    }
    throw new WireFormatError("truncated number");
  }

  function take(length: number): Buffer {
    if (length < 0 || at + length > message.length) throw new WireFormatError("truncated message");
    at += length;
    return message.subarray(at - length, at);
  }

  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        fields.push({ number, value: varint() });
        break;
      case 1:
        fields.push({ number, value: take(8) });
        break;
      case 2:
        fields.push({ number, value: take(Number(varint())) });
        break;
      case 5:
        fields.push({ number, value: take(4) });
        break;
      default:
        throw new WireFormatError(`wire type ${tag & 7}`);
    }
  }
  return fields;
}
