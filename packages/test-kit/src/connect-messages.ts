/** A field of Protobuf: a text, bytes or a message, or a whole number. */
export type ConnectField = readonly [number: number, value: string | Uint8Array | number];

/** A message of these fields. */
export function message(...fields: readonly ConnectField[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number") return [writtenVarint(number * 8), writtenVarint(value)];
      const bytes = Buffer.from(value);
      return [writtenVarint(number * 8 + 2), writtenVarint(bytes.length), bytes];
    }),
  );
}

function writtenVarint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80);
  return Buffer.from([...bytes, left]);
}

/** Fields of a message by their numbers, as any reader of Protobuf has them: the last value wins. */
export type Fields = ReadonlyMap<number, Buffer>;

/** Reads a message without groups. */
export function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const readVarint = (): number => {
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
    const tag = readVarint();
    const type = tag % 8;
    if (type === 0) {
      readVarint();
      continue;
    }
    const length = type === 1 ? 8 : type === 5 ? 4 : readVarint();
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
export function request(session: string, user = "somebody", ...more: readonly ConnectField[]): Buffer {
  return message([1, session], [2, message([1, user])], ...more);
}

/**
 * `ExecutePlanRequest` of an SQL query (Spark's base.proto and relations.proto).
 *
 * @param operation its ID, if its client may attach to it again
 */
export function sqlRequest(session: string, sql: string, operation?: string): Buffer {
  const plan = message([1, message([10, message([1, sql])])]);
  if (operation === undefined) return request(session, "somebody", [3, plan], [4, "test"]);
  const reattachable = message([1, message([1, 1])]);
  return request(session, "somebody", [3, plan], [4, "test"], [5, reattachable], [6, operation]);
}

/** `ReattachExecuteRequest` of a client that has no answer yet. */
export function reattachRequest(session: string, operation: string): Buffer {
  return request(session, "somebody", [3, operation], [4, "test"]);
}

/** A message with the five bytes of gRPC before it. */
export function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
