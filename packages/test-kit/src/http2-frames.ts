// Frames of HTTP/2 (RFC 9113) that no client would send by itself.

/** Types of frames (RFC 9113, 6). */
export const FRAME: Readonly<
  Record<"data" | "headers" | "reset" | "settings" | "ping" | "goAway" | "windowUpdate" | "continuation", number>
> = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, windowUpdate: 8, continuation: 9 };

/** The flag of the last frame of a call. */
export const END_STREAM: number = 1;
/** The flag of headers that no continuation follows. */
export const END_HEADERS: number = 4;

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Headers in literal form (RFC 7541, 6.2.2): names and values as they are, each shorter than 127 bytes. */
export function literalHeaders(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    headers.flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name, "latin1"),
      Buffer.from([value.length]),
      Buffer.from(value, "latin1"),
    ]),
  );
}

/** The words that a client says first (RFC 9113, 3.4), with settings. */
export function preface(settings: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(FRAME.settings, 0, 0, settings)]);
}

/** The preface with empty settings. */
export const PREFACE: Buffer = preface();

/** A frame without its payload. */
export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
}

/** The frames that have come as a whole. */
export function framesIn(bytes: Buffer): readonly FrameHead[] {
  const frames: FrameHead[] = [];
  let at = 0;
  while (at + 9 <= bytes.length) {
    const length = bytes.readUIntBE(at, 3);
    if (at + 9 + length > bytes.length) break;
    frames.push({ type: bytes.readUInt8(at + 3), flags: bytes.readUInt8(at + 4), stream: bytes.readUInt32BE(at + 5) });
    at += 9 + length;
  }
  return frames;
}
