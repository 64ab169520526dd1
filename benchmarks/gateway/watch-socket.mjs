// @ts-check
import https from "node:https";

const CLOSE = 0x8;

/**
 * Watches over a WebSocket, as drivers do. There is no timeout: the next event may take any time.
 *
 * @param {object} options
 * @param {string} options.uri of the gateway
 * @param {string} options.ca its authority
 * @param {string} options.token
 * @param {string} options.path
 * @param {(event: import("./lateness.mjs").PodEvent) => void} options.onEvent called with each event, parsed
 * @param {() => void} [options.onEnd] called when the gateway ends the watch; without it, that is an error
 */
export async function watchOverSocket({ uri, ca, token, path, onEvent, onEnd }) {
  const headers = {
    Authorization: `Bearer ${token}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    Origin: uri,
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": Buffer.from("0123456789abcdef").toString("base64"),
  };
  /** @type {import("node:stream").Duplex} */
  const socket = await new Promise((resolve, reject) => {
    https
      .get(new URL(path, uri), { headers, ca, agent: false })
      .on("upgrade", (_, upgraded, head) => {
        upgraded.unshift(head);
        resolve(upgraded);
      })
      .on("response", ({ statusCode }) => reject(new Error(`the watch was answered ${statusCode}`)))
      .on("error", reject);
  });
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  socket.on("data", (/** @type {Buffer} */ chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let frame = firstFrame(rest); frame !== undefined; frame = firstFrame(rest)) {
      rest = rest.subarray(frame.end);
      if (frame.opcode === CLOSE) {
        if (onEnd === undefined) throw new Error("the gateway has ended a watch");
        socket.destroy();
        onEnd();
        return;
      }
      onEvent(JSON.parse(frame.payload.toString()));
    }
  });
  return socket;
}

/**
 * RFC 6455, section 5.2; frames of servers are not masked.
 *
 * @param {Buffer} input
 */
function firstFrame(input) {
  const [first, second] = input;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (input.length < start) return undefined;
  const length = short === 126 ? input.readUInt16BE(2) : short === 127 ? Number(input.readBigUInt64BE(2)) : short;
  const end = start + length;
  return input.length < end ? undefined : { opcode: first & 0x0f, payload: input.subarray(start, end), end };
}
