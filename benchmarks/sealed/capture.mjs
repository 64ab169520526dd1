// @ts-check
// What goes over the network of this machine, captured with tcpdump.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { end } from "../harness/processes.mjs";

/** @typedef {{ marks: number, tls13: number }} Seen how many marked rows, and how many handshakes of TLS 1.3 */

const MARK = "MARKER-IN-CLEAR-";
/** The extension of a ServerHello by which a server chooses TLS 1.3 (RFC 8446, section 4.2.1). */
const CHOSEN_TLS_13 = Buffer.from([0x00, 0x2b, 0x00, 0x02, 0x03, 0x04]);

/** Whether packets can be captured here. */
export function canCapture() {
  return process.getuid?.() === 0 && spawnSync("tcpdump", ["--version"], { stdio: "ignore" }).status === 0;
}

/**
 * Begins to capture all TCP packets of all network devices.
 *
 * @returns {Promise<() => Promise<Seen>>} ends it
 */
export async function capture() {
  const child = spawn("tcpdump", ["-i", "any", "-U", "-B", "65536", "-s", "0", "-w", "-", "tcp"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [marks, tls13] = [counter(Buffer.from(MARK)), counter(CHOSEN_TLS_13)];
  child.stdout.on("data", (/** @type {Buffer} */ chunk) => {
    marks.add(chunk);
    tls13.add(chunk);
  });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes("listening on")) break;
  child.stderr.resume();
  return async () => {
    const closed = once(child, "close");
    await end(child);
    await closed;
    return { marks: marks.found(), tls13: tls13.found() };
  };
}

/**
 * Counts how often some bytes occur in a stream.
 *
 * @param {Buffer} part
 */
function counter(part) {
  let found = 0;
  let rest = Buffer.alloc(0);
  return {
    found: () => found,
    /** @param {Buffer} chunk */
    add(chunk) {
      const all = Buffer.concat([rest, chunk]);
      for (let at = all.indexOf(part); at >= 0; at = all.indexOf(part, at + part.length)) found++;
      // A part that is cut in two is found with the next chunk.
      rest = all.subarray(Math.max(0, all.length - part.length + 1));
    },
  };
}
