import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WatchSink, writeAll } from "./watch-sink.ts";
import { OPCODES, parseClientFrame, serverFrame } from "./web-socket-frames.ts";

// RFC 6455, section 1.3.
const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** Clients send small frames: those of a watch only control frames, those of a forwarded port pieces of what they copy. */
const LONGEST_INPUT = 1024 * 1024;
const NORMAL_END = Buffer.from([0x03, 0xe8]);

/** Whether a request asks for a WebSocket. */
export function wantsWebSocket(request: IncomingMessage): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === "websocket" && typeof request.headers["sec-websocket-key"] === "string"
  );
}

/** What happens in a WebSocket. */
export interface WebSocketEvents {
  /** A text or binary message has come. */
  readonly onMessage?: (payload: Buffer) => void;
}

/**
 * Completes the handshake and returns the socket's other side.
 *
 * @param protocol the subprotocol that is chosen of those which the client offers
 */
export function openWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  { head, protocol, onMessage }: { readonly head: Buffer; readonly protocol?: string } & WebSocketEvents,
): OpenWebSocket {
  const key = String(request.headers["sec-websocket-key"]);
  const accept = createHash("sha1").update(`${key}${MAGIC}`).digest("base64");
  const chosen = protocol === undefined ? "" : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${chosen}\r\n`,
  );
  let input: Buffer = head;
  const read = (chunk: Buffer): void => {
    input = handleFrames(socket, Buffer.concat([input, chunk]), onMessage);
    if (input.length > LONGEST_INPUT) socket.destroy();
  };
  socket.on("data", read);
  // A client that disappears is not an error of this server.
  socket.on("error", () => socket.destroy());
  // Node leaves its half of the connection open, so a client that closes without a close frame would seem to be listening.
  socket.on("end", () => void socket.end());
  if (head.length > 0) read(Buffer.alloc(0));
  return {
    send: (opcode, messages) =>
      writeAll(
        socket,
        messages.flatMap((message) => serverFrame(opcode, message)),
      ),
    close: () => {
      if (socket.writable) socket.end(Buffer.concat(serverFrame(OPCODES.close, [NORMAL_END])));
    },
  };
}

/** The server's side of a WebSocket. */
export interface OpenWebSocket {
  /** Sends each message, which is given in pieces, in one frame; false means to wait until the socket drains. */
  send(opcode: number, messages: readonly (readonly Buffer[])[]): boolean;
  close(): void;
}

/** Completes the handshake and returns the sink: it writes one event per text frame. */
export function webSocketSink(request: IncomingMessage, socket: Duplex, head: Buffer): WatchSink {
  const opened = openWebSocket(request, socket, { head });
  return {
    write: (events) => opened.send(OPCODES.text, events),
    onDrain: (callback) => void socket.on("drain", callback),
    onClose: (callback) => void socket.on("close", callback),
    end: () => opened.close(),
    cut: () => void socket.destroy(),
  };
}

/** Answers the frames that are complete and returns what is left over. */
function handleFrames(socket: Duplex, input: Buffer, onMessage: WebSocketEvents["onMessage"]): Buffer {
  let rest = input;
  for (;;) {
    const parsed = parseClientFrame(rest);
    if (parsed === undefined) return rest;
    const { opcode, payload } = parsed;
    rest = rest.subarray(parsed.size);
    if (opcode === OPCODES.ping) socket.write(Buffer.concat(serverFrame(OPCODES.pong, [payload])));
    if (opcode === OPCODES.text || opcode === OPCODES.binary) onMessage?.(payload);
    if (opcode === OPCODES.close) {
      if (socket.writable) socket.end(Buffer.concat(serverFrame(OPCODES.close, [payload.subarray(0, 2)])));
      return Buffer.alloc(0);
    }
  }
}
