import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WatchSink, writeAll } from "./watch-sink.ts";

// RFC 6455, section 1.3.
const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
/** Clients of a watch send only control frames, which are small. */
const LONGEST_INPUT = 64 * 1024;

/** Whether a request asks for a WebSocket. */
export function wantsWebSocket(request: IncomingMessage): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === "websocket" && typeof request.headers["sec-websocket-key"] === "string"
  );
}

/** Completes the handshake and returns the sink: it writes one event per text frame. */
export function webSocketSink(request: IncomingMessage, socket: Duplex, head: Buffer): WatchSink {
  const key = String(request.headers["sec-websocket-key"]);
  const accept = createHash("sha1").update(`${key}${MAGIC}`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let input: Buffer = head;
  const read = (chunk: Buffer): void => {
    input = handleFrames(socket, Buffer.concat([input, chunk]));
    if (input.length > LONGEST_INPUT) socket.destroy();
  };
  socket.on("data", read);
  // A client that disappears is not an error of this server.
  socket.on("error", () => socket.destroy());
  // Node leaves its half of the connection open, so a client that closes without a close frame would seem to be listening.
  socket.on("end", () => void socket.end());
  if (head.length > 0) read(Buffer.alloc(0));
  return {
    write: (events) =>
      writeAll(
        socket,
        events.flatMap((event) => frame(TEXT, event)),
      ),
    onDrain: (callback) => void socket.on("drain", callback),
    onClose: (callback) => void socket.on("close", callback),
    end: () => {
      if (socket.writable) socket.end(Buffer.concat(frame(CLOSE, [Buffer.from([0x03, 0xe8])])));
    },
    cut: () => void socket.destroy(),
  };
}

/** A frame as header and payload; servers do not mask (section 5.1). */
function frame(opcode: number, payload: readonly Buffer[]): Buffer[] {
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

/** Answers the frames that are complete and returns what is left over. */
function handleFrames(socket: Duplex, input: Buffer): Buffer {
  let rest = input;
  for (;;) {
    const parsed = parseFrame(rest);
    if (parsed === undefined) return rest;
    rest = rest.subarray(parsed.size);
    if (parsed.opcode === PING) socket.write(Buffer.concat(frame(PONG, [parsed.payload])));
    if (parsed.opcode === CLOSE) {
      if (socket.writable) socket.end(Buffer.concat(frame(CLOSE, [parsed.payload.subarray(0, 2)])));
      return Buffer.alloc(0);
    }
  }
}

function parseFrame(input: Buffer): { opcode: number; payload: Buffer; size: number } | undefined {
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
