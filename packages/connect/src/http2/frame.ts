/** Types of frames (RFC 9113, 6). */
export const FRAME = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** Flags of frames. */
export const FLAG = { NONE: 0, ACK: 1, END_STREAM: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 0x20 } as const;

/** Codes that say why a call or a connection ended (RFC 9113, 7). */
export const ERROR = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11,
} as const;

export type ErrorCode = (typeof ERROR)[keyof typeof ERROR];

/** What a client says first (RFC 9113, 3.4). */
export const PREFACE: Buffer = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export const HEAD_BYTES = 9;
/** The longest payload that every side takes without being asked. Longer ones would save little: all are passed on in parts. */
export const LONGEST_PAYLOAD = 16_384;
/** How much a side may send before it hears of another window. */
export const USUAL_WINDOW = 65_535;
export const LARGEST_WINDOW: number = 2 ** 31 - 1;
export const LARGEST_STREAM: number = 2 ** 31 - 1;

/** The beginning of a frame. */
export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  /** The call that it belongs to; 0 is the connection. */
  readonly stream: number;
}

/** A frame with its whole payload. */
export interface Frame extends FrameHead {
  readonly payload: Buffer;
}

/** A fault that ends the connection on which it was found. */
export class Http2Error extends Error {
  override readonly name = "Http2Error";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** @param length of the payload, bytes */
export function frameHead(length: number, type: number, flags: number, stream: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  writeHead(head, length, type, flags, stream);
  return head;
}

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  writeHead(bytes, payload.length, type, flags, stream);
  payload.copy(bytes, HEAD_BYTES);
  return bytes;
}

/** A frame whose payload is one number of four bytes. */
export function numberFrame(type: number, stream: number, value: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + 4);
  writeHead(bytes, 4, type, FLAG.NONE, stream);
  bytes.writeUInt32BE(value, HEAD_BYTES);
  return bytes;
}

/** @param last the last call of the other side that was taken */
export function goAwayFrame(last: number, code: ErrorCode): Buffer {
  const payload = Buffer.alloc(8);
  payload.writeUInt32BE(last, 0);
  payload.writeUInt32BE(code, 4);
  return frame(FRAME.GOAWAY, FLAG.NONE, 0, payload);
}

function writeHead(bytes: Buffer, length: number, type: number, flags: number, stream: number): void {
  bytes.writeUIntBE(length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
}

/**
 * The payload without what the flags say was added: padding, and the priority that nobody follows any more.
 *
 * @throws Http2Error
 */
export function withoutPadding({ type, flags, payload }: Frame): Buffer {
  const isPadded = (flags & FLAG.PADDED) !== 0;
  const start = (isPadded ? 1 : 0) + (type === FRAME.HEADERS && (flags & FLAG.PRIORITY) !== 0 ? 5 : 0);
  const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
  if (start > payload.length) throw new Http2Error(ERROR.FRAME_SIZE_ERROR, "a frame is too short for its flags");
  if (start > end) throw new Http2Error(ERROR.PROTOCOL_ERROR, "a frame has more padding than it is long");
  return payload.subarray(start, end);
}
