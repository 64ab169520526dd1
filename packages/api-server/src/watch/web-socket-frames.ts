/** What a frame of a WebSocket is for (RFC 6455, 5.2). */
export const OPCODES = { text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

/** A frame as header and payload; servers do not mask (RFC 6455, 5.1). */
export function serverFrame(opcode: number, payload: readonly Buffer[]): Buffer[] {
  const length = payload.reduce((sum, piece) => sum + piece.length, 0);
  let header: Buffer;
  if (length < 126) {
    header = Buffer.from([0x80 | opcode, length]);
  } else if (length < 65_536) {
    header = Buffer.from([0x80 | opcode, 126, length >> 8, length & 0xff]);
  } else {
    header = Buffer.alloc(10);
    header[0] = 0x80 | opcode;
    header[1] = 127;
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return [header, ...payload];
}

/** A frame of a client, without its mask; `size` is that of the whole frame. */
export interface ClientFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly size: number;
}

/** The frame at the beginning of what has come; `undefined` if it is not complete yet. */
export function parseClientFrame(input: Buffer): ClientFrame | undefined {
  if (input.length < 2) return undefined;
  const opcode = (input[0] ?? 0) & 0x0f;
  const masked = ((input[1] ?? 0) & 0x80) !== 0;
  let length = (input[1] ?? 0) & 0x7f;
  let at = 2;
  if (length === 126) {
    if (input.length < 4) return undefined;
    length = input.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (input.length < 10) return undefined;
    length = Number(input.readBigUInt64BE(2));
    at = 10;
  }
  const mask = masked ? input.subarray(at, at + 4) : undefined;
  if (masked) at += 4;
  if (input.length < at + length) return undefined;
  const payload = Buffer.from(input.subarray(at, at + length));
  if (mask !== undefined)
    for (let index = 0; index < length; index += 1) payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return { opcode, payload, size: at + length };
}
