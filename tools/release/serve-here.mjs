// @ts-check
import { once } from "node:events";
import { createServer } from "node:http";

/** @typedef {{ readonly url: string, readonly close: () => void }} Served its URL has no slash at the end */

/**
 * Answers requests on a free port that only this machine reaches.
 *
 * @param {import("node:http").RequestListener} answer
 * @returns {Promise<Served>}
 */
export async function serveHere(answer) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
