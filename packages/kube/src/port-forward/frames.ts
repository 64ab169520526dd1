/** What a frame of a WebSocket is for (RFC 6455, 5.2). */
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  readonly opcode: number;
  /** Whether it is the last one of its message. */
  readonly isLast: boolean;
  readonly payload: Buffer;
}

/** A server that sends longer frames is none that this client speaks with. */
const LONGEST_PAYLOAD = 16 * 1024 * 1024;

/** The server does not speak as a WebSocket does. */
export class FrameError extends Error {}

/**
 * A frame as a client sends it: whole, and masked (RFC 6455, 5.3).
 *
 * @param mask four random bytes
 */
export function clientFrame(opcode: number, payload: Buffer, mask: Buffer): Buffer {
  const length = payload.length;
  const header = Buffer.alloc(length < 126 ? 6 : length < 65_536 ? 8 : 14);
  header[0] = 0x80 | opcode;
  if (length < 126) header[1] = 0x80 | length;
  else if (length < 65_536) {
    header[1] = 0x80 | 126;
    header.writeUInt16BE(length, 2);
  } else {
    header[1] = 0x80 | 127;
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  mask.copy(header, header.length - 4);
  const masked = Buffer.alloc(length);
  for (let at = 0; at < length; at++) masked[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return Buffer.concat([header, masked]);
}

/** Finds the frames of a server in the bytes that come from it. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /**
   * The frames that these bytes complete.
   *
   * @throws FrameError
   */
  push(bytes: Buffer): readonly Frame[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    for (let size = this.#sizeOf(); size !== undefined && this.#rest.length >= size.whole; size = this.#sizeOf()) {
      const first = this.#rest[0] ?? 0;
      const payload = this.#rest.subarray(size.whole - size.payload, size.whole);
      frames.push({ opcode: first & 0x0f, isLast: (first & 0x80) !== 0, payload });
      this.#rest = this.#rest.subarray(size.whole);
    }
    return frames;
  }

  #sizeOf(): { readonly whole: number; readonly payload: number } | undefined {
    const rest = this.#rest;
    if (rest.length < 2) return undefined;
    const [first, second] = [rest[0] ?? 0, rest[1] ?? 0];
    if ((first & 0x70) !== 0 || (second & 0x80) !== 0)
      throw new FrameError("the server sends no frames of a WebSocket");
    const short = second & 0x7f;
    const header = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (rest.length < header) return undefined;
    const payload = short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
    if (payload > LONGEST_PAYLOAD) throw new FrameError(`the server sends a frame of ${payload} bytes`);
    return { whole: header + payload, payload };
  }
}
