// @ts-check
// Many uploads and downloads that are open at the same time, and how much memory the server uses for them.
import { createHash, randomFillSync } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { residentMemory } from "@kindling/test-kit/process-usage";

const CHUNK = 256 * 1024;

/**
 * Opens `count` uploads and the same number of downloads. Each pauses after its first bytes, so that all are open at the same
 * time and none is finished. Then each continues as fast as it can.
 *
 * @param {import("./servers.mjs").FileServer} server
 * @param {object} options
 * @param {number} options.count
 * @param {number} options.size of each upload
 * @param {import("./transfers.mjs").FreshFile} options.hot the file to download
 * @param {number} options.pauseMs
 * @returns the server's memory before, and at its peak, in MiB
 */
export async function manyAtOnce(server, { count, size, hot, pauseMs }) {
  const idle = residentMemory(server.pid);
  let peak = idle;
  const sampler = setInterval(() => (peak = Math.max(peak, residentMemory(server.pid))), 50);
  let open = 0;
  let goOn = () => {};
  /** @type {Promise<void>} */
  const go = new Promise((resolve) => (goOn = resolve));
  const arrived = async () => {
    if (++open === 2 * count) setTimeout(() => goOn(), pauseMs);
    await go;
  };
  const agent = new Agent({ maxSockets: Infinity });
  const download = await server.downloadOf(hot);
  const transfers = Array.from({ length: count }, () => [
    uploadOne(server, size, agent, arrived),
    downloadOne(download, agent, arrived),
  ]);
  await Promise.all(transfers.flat());
  clearInterval(sampler);
  agent.destroy();
  return { idle, peak };
}

/**
 * @param {import("./servers.mjs").FileServer} server
 * @param {number} size
 * @param {Agent} agent
 * @param {() => Promise<void>} arrived
 */
async function uploadOne(server, size, agent, arrived) {
  const block = randomFillSync(Buffer.allocUnsafe(CHUNK));
  const hash = createHash("sha256");
  for (let sent = 0; sent < size; sent += CHUNK) hash.update(block);
  const uri = await server.uploadUri(`sha256:${hash.digest("hex")}`);
  const outgoing = request(uri, { method: "PUT", agent, headers: { "content-length": size } });
  const response = once(outgoing, "response");
  for (let sent = 0; sent < size; sent += CHUNK) {
    if (sent === 4 * CHUNK) await arrived();
    if (!outgoing.write(block)) await once(outgoing, "drain");
  }
  outgoing.end();
  const [{ statusCode }] = await response;
  if (statusCode !== 201) throw new Error(`upload: HTTP status ${statusCode}`);
}

/**
 * @param {import("./servers.mjs").Download} download
 * @param {Agent} agent
 * @param {() => Promise<void>} arrived
 */
async function downloadOne({ uri, headers }, agent, arrived) {
  const [answer] = await once(request(uri, { agent, headers }).end(), "response");
  const response = /** @type {import("node:http").IncomingMessage} */ (answer);
  let bytes = 0;
  for await (const chunk of response) {
    if (bytes === 0) await arrived();
    bytes += chunk.length;
  }
  if (bytes !== Number(response.headers["content-length"])) throw new Error(`download: ${bytes} bytes came`);
}
