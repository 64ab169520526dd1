// @ts-check
import https from "node:https";
import { text } from "node:stream/consumers";
import { sleep } from "../harness/wait.mjs";

/** How often and how long fabric8's client waits at most, when a server says that it has too much to do. */
const MOST_TRIES = 10;
const AGAIN_MS = 1_000;

/**
 * Sends a request as a driver's client does: it is sent again if the server has too much to do at present.
 *
 * @param {URL} url
 * @param {https.RequestOptions} options
 * @param {string | undefined} data
 * @returns {Promise<{ status: number, answer: string }>}
 */
export async function exchange(url, options, data) {
  for (let tries = 1; ; tries++) {
    const response = await sent(url, options, data);
    const [status, answer] = [response.statusCode ?? 0, await text(response)];
    if (status !== 429 || tries === MOST_TRIES) return { status, answer };
    await sleep(AGAIN_MS);
  }
}

/**
 * @param {URL} url
 * @param {https.RequestOptions} options
 * @param {string | undefined} data
 * @returns {Promise<import("node:http").IncomingMessage>}
 */
async function sent(url, options, data) {
  return await new Promise((resolve, reject) => {
    const request = https.request(url, options, resolve);
    request.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      // The server may close an idle connection at the same moment when it is used again.
      if (request.reusedSocket && error.code === "ECONNRESET") resolve(sent(url, options, data));
      else reject(error);
    });
    request.end(data);
  });
}
