import type { ApiClient } from "./api-client.ts";
import { EventStream } from "./event-stream.ts";
import type { Json } from "./json.ts";
import { createHash, randomBytes } from "node:crypto";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";

// RFC 6455, sections 1.3 and 5.2.
const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const CLOSE = 0x8;

/** The result of an upgrade request: a stream of events, or a plain answer. */
export type Upgrade =
  | { readonly kind: "open"; readonly accepted: boolean; readonly events: EventStream }
  | { readonly kind: "refused"; readonly status: number };

/** Opens a watch over a WebSocket, as fabric8's clients do. */
export async function openWebSocket(
  client: ApiClient,
  path: string,
  origin: string | null = client.connection.url.origin,
): Promise<Upgrade> {
  const { url, authority: ca, certificate: cert, key, token } = client.connection;
  const nonce = randomBytes(16).toString("base64");
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Key": nonce,
    "Sec-WebSocket-Version": "13",
    ...(origin === null ? {} : { Origin: origin }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const target = new URL(path, url);
  const request =
    url.protocol === "https:"
      ? https.request(target, { headers, ca, cert, key, agent: false })
      : http.request(target, { headers, agent: false });
  return await new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response: IncomingMessage) => {
      response.resume();
      resolve({ kind: "refused", status: response.statusCode ?? 0 });
    });
    request.on("upgrade", (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      const expected = createHash("sha1").update(`${nonce}${MAGIC}`).digest("base64");
      const accepted = response.headers["sec-websocket-accept"] === expected;
      // The frames, or the close, show the end of a connection.
      socket.on("error", () => socket.destroy());
      resolve({ kind: "open", accepted, events: new EventStream(frames(socket, head), () => socket.destroy()) });
    });
    request.end();
  });
}

async function* frames(socket: Duplex, head: Buffer): AsyncGenerator<Json, void> {
  let input = head;
  const source = socket[Symbol.asyncIterator]();
  for (;;) {
    for (let frame = firstFrame(input); frame !== undefined; frame = firstFrame(input)) {
      input = input.subarray(frame.size);
      if (frame.opcode === CLOSE) return;
      yield JSON.parse(frame.payload.toString()) as Json;
    }
    const next = await source.next();
    if (next.done === true) return;
    input = Buffer.concat([input, next.value as Buffer]);
  }
}

// Frames of servers are not masked.
function firstFrame(input: Buffer): { opcode: number; payload: Buffer; size: number } | undefined {
  if (input.length < 2) return undefined;
  const short = input.readUInt8(1) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (input.length < start) return undefined;
  const length = short === 126 ? input.readUInt16BE(2) : short === 127 ? Number(input.readBigUInt64BE(2)) : short;
  if (input.length < start + length) return undefined;
  return {
    opcode: input.readUInt8(0) & 0x0f,
    payload: input.subarray(start, start + length),
    size: start + length,
  };
}
