// @ts-check
// The two services that are compared, as processes: ours, and Spark's own.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { connect } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENVIRONMENT } from "../../harness/environment.mjs";
import { end, isRunning, pidOf } from "../../harness/processes.mjs";
import { portOf } from "../../harness/port-of.mjs";
import { sleep } from "../../harness/wait.mjs";

const OURS = fileURLToPath(
  new URL("../../../packages/shuffle-server/dist/kindling-shuffle-server.cjs", import.meta.url),
);
/** As the README recommends for a container with 64 MiB. */
const FLAGS = ["--max-old-space-size=24", "--max-semi-space-size=1"];
const READY_TRIES = 6_000;
const BETWEEN_TRIES_MS = 5;
/** Linux counts the time of processes in hundredths of a second. */
const TICKS = 100;

/**
 * @typedef {object} Service
 * @property {number} pid
 * @property {number} port
 * @property {number} readyMs from its start until it accepts a connection
 * @property {() => Promise<void>} stop
 */

/** @param {string} root of the local directories @returns {Promise<Service>} */
export async function startOurs(root) {
  const port = await freePort();
  const env = { KINDLING_SHUFFLE_LOCAL_DIRS: root, KINDLING_SHUFFLE_PORT: String(port) };
  return start(process.execPath, [...FLAGS, OURS], env, port);
}

/**
 * @param {string} home of a Spark
 * @param {string} root of the local directories
 * @returns {Promise<Service>}
 */
export async function startSparks(home, root) {
  const port = await freePort();
  const main = "org.apache.spark.deploy.ExternalShuffleService";
  const args = ["-Xmx1g", "-cp", join(home, "jars", "*"), `-Dspark.shuffle.service.port=${port}`, main];
  return start("java", args, { SPARK_LOCAL_DIRS: root }, port);
}

/**
 * Seconds of processor time that a process has used, and its memory in MiB: now, and at its peak.
 *
 * @param {number} pid
 */
export function usageOf(pid) {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, peak = "0"] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
  return { cpu: (user + system) / TICKS, peak: Number(peak) / 1024 };
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 * @param {number} port
 * @returns {Promise<Service>}
 */
async function start(command, args, env, port) {
  const began = performance.now();
  const child = spawn(command, args, { env: { ...ENVIRONMENT, ...env }, stdio: "ignore" });
  const pid = pidOf(child);
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (!isRunning(child) || tries === READY_TRIES) throw new Error(`${command} does not answer on port ${port}`);
    await sleep(BETWEEN_TRIES_MS);
  }
  return { pid, port, readyMs: performance.now() - began, stop: () => end(child) };
}

/** @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve((socket.destroy(), true)));
    socket.once("error", () => resolve(false));
  });
}

async function freePort() {
  const server = createServer().listen(0);
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}
