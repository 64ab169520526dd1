import https from "node:https";

const CLOSE = 0x8;

/**
 * Watches over a WebSocket, as drivers do. An event takes as long as it takes: nobody waits for it in vain.
 *
 * @param onEvent called with each event, parsed
 */
export async function watchOverSocket({ uri, ca, token, path, onEvent }) {
  const headers = {
    Authorization: `Bearer ${token}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    Origin: uri,
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": Buffer.from("0123456789abcdef").toString("base64"),
  };
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
  let rest = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let frame = firstFrame(rest); frame !== undefined; frame = firstFrame(rest)) {
      rest = rest.subarray(frame.end);
      if (frame.opcode === CLOSE) throw new Error("the gateway has ended a watch");
      onEvent(JSON.parse(frame.payload.toString()));
    }
  });
  return socket;
}

/** RFC 6455, section 5.2; frames of servers are not masked. */
function firstFrame(input) {
  if (input.length < 2) return undefined;
  const short = input[1] & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (input.length < start) return undefined;
  const length = short === 126 ? input.readUInt16BE(2) : short === 127 ? Number(input.readBigUInt64BE(2)) : short;
  const end = start + length;
  return input.length < end ? undefined : { opcode: input[0] & 0x0f, payload: input.subarray(start, end), end };
}
