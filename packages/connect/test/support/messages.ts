import { writeMessage, type WrittenField } from "../../src/protobuf/write-message.ts";

/** Fields of a message by their numbers, as any reader of Protobuf has them: the last value wins. */
export type Fields = ReadonlyMap<number, Buffer>;

/** Reads a message without groups. */
export function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      shift += 7;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const type = tag % 8;
    if (type === 0) {
      varint();
      continue;
    }
    const length = type === 1 ? 8 : type === 5 ? 4 : varint();
    if (type !== 2) {
      at += length;
      continue;
    }
    fields.set(Math.floor(tag / 8), message.subarray(at, at + length));
    at += length;
  }
  return fields;
}

/** The session and the user that a request is for, as a server reads them. */
export function identityIn(message: Buffer): { readonly session: string; readonly user: string } {
  const fields = fieldsOf(message);
  const user = fieldsOf(fields.get(2) ?? Buffer.alloc(0)).get(1);
  return { session: String(fields.get(1) ?? ""), user: String(user ?? "") };
}

/** A request as Spark's clients write it. */
export function request(session: string, user = "somebody", ...more: readonly WrittenField[]): Buffer {
  return writeMessage([1, session], [2, writeMessage([1, user])], ...more);
}

/** A message with the five bytes of gRPC before it. */
export function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
