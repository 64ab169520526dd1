// @ts-check
// A well-behaved tenant, in a separate process. It uploads a bundle, downloads and verifies it, deletes it, and begins again.
// It answers each line on stdin with a line of JSON on stdout that reports what it has done.
import { createHash, randomFillSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundleSource, connectStaging, uploadBundle } from "../../packages/staging-client/dist/index.js";
import { sleep } from "../harness/wait.mjs";

/**
 * What the tenant has done since the last report.
 *
 * @typedef {object} Done
 * @property {number} bundles
 * @property {number} transfers
 * @property {number} failed
 * @property {number} bytes
 * @property {number} retries
 * @property {number} since milliseconds since the epoch
 * @property {number} longestMs the longest round
 */

const [uri = "", token, namespace = "", folder = ""] = process.argv.slice(2);
// Sizes below and above the size that is sent in one request.
const SIZES = [200, 50_000, 1_000_000, 10_000_000];
/** @type {Parameters<typeof uploadBundle>[1]["owner"]} */
const OWNER = { ownerNamespace: namespace, ownerLabels: { "spark-app-selector": "spark-1" }, ownerType: "Pod" };

const client = connectStaging({
  uri,
  authorization: `Bearer ${token}`,
  onRetry: () => done.retries++,
});
/** @returns {Done} */
const fresh = () => ({ bundles: 0, transfers: 0, failed: 0, bytes: 0, retries: 0, since: Date.now(), longestMs: 0 });
let done = fresh();

createInterface({ input: process.stdin }).on("line", () => {
  const seconds = (Date.now() - done.since) / 1000;
  process.stdout.write(`${JSON.stringify({ ...done, seconds })}\n`);
  done = fresh();
});

for (;;) {
  const begin = Date.now();
  await round().catch((error) => {
    done.failed++;
    process.stderr.write(`tenant: ${error.stack ?? error}\n`);
  });
  done.longestMs = Math.max(done.longestMs, Date.now() - begin);
}
async function round() {
  const files = SIZES.map((size, index) => {
    const path = join(folder, `file-${index}`);
    writeFileSync(path, randomFillSync(Buffer.allocUnsafe(size)));
    return { path, name: `file-${index}`, kind: "file" };
  });
  const { bundleId, secret } = await uploadBundle(client, { files, owner: OWNER });
  count(SIZES.length);
  const manifest = await client.manifest(bundleId, { secret });
  for (const { name, digest, size } of manifest.files) {
    await download({ bundleId, secret, name, digest, size });
    count(1);
    done.bytes += size;
  }
  await client.deleteBundle(bundleId);
  done.bundles++;
  done.bytes += SIZES.reduce((sum, size) => sum + size, 0);
}

/** @param {number} transfers */
function count(transfers) {
  done.transfers += transfers;
}

/**
 * Downloads as the localizer does: a download that breaks off is continued, a few times.
 *
 * @param {{ bundleId: string, secret: string, name: string, digest: string, size: number }} file
 */
async function download({ bundleId, secret, name, digest, size }) {
  const source = bundleSource(client.connection, { bundleId, secret, name });
  const hash = createHash("sha256");
  let offset = 0;
  for (let attempt = 0; offset < size; attempt++) {
    try {
      const { body } = await source.open(offset, undefined, new AbortController().signal);
      for await (const chunk of body) {
        hash.update(chunk);
        offset += chunk.length;
      }
    } catch (error) {
      if (attempt >= 20) throw error;
      done.retries++;
      await sleep(retryAfterMs(error) + 50 * Math.random());
    }
  }
  if (`sha256:${hash.digest("hex")}` !== digest) throw new Error(`${name} came back as something else`);
}

/**
 * How long the server asks the client to wait.
 *
 * @param {unknown} error
 */
function retryAfterMs(error) {
  const hasWait = typeof error === "object" && error !== null && "retryAfterMs" in error;
  return hasWait && typeof error.retryAfterMs === "number" ? error.retryAfterMs : 0;
}
