// @ts-check
// Uploads and downloads of one file, with curl as the client of every server.
import { execFileSync, spawn } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { cpuSeconds } from "@kindling/test-kit/process-usage";
import { sleep } from "../harness/wait.mjs";

const BLOCK = 8 * 1024 * 1024;

/** @typedef {import("./servers.mjs").FileServer} FileServer */
/** @typedef {{ path: string, size: number, digest: string, remove: () => void }} FreshFile */
/** @typedef {{ wall: number, cpu: number }} Transfer seconds of real time, and of the server's processor time */

/**
 * A file of random bytes that no server has seen before.
 *
 * @param {string} path
 * @param {number} size
 * @returns {FreshFile}
 */
export function freshFile(path, size) {
  const block = Buffer.allocUnsafe(BLOCK);
  const hash = createHash("sha256");
  const file = openSync(path, "w");
  for (let written = 0; written < size; written += BLOCK) {
    randomFillSync(block);
    hash.update(block);
    writeSync(file, block);
  }
  closeSync(file);
  return { path, size, digest: `sha256:${hash.digest("hex")}`, remove: () => rmSync(path) };
}

/**
 * Seconds of processor time for the digest alone of this many bytes, with the same library as in the server.
 *
 * @param {number} size
 */
export function digestSeconds(size) {
  const block = randomFillSync(Buffer.allocUnsafe(64 * 1024));
  const hash = createHash("sha256");
  const began = process.cpuUsage();
  for (let hashed = 0; hashed < size; hashed += block.length) hash.update(block);
  hash.digest();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}

/**
 * Uploads a file.
 *
 * @param {FileServer} server
 * @param {FreshFile} file
 */
export async function upload(server, file) {
  const uri = await server.uploadUri(file.digest);
  return await timed(server, ["-T", file.path, "-H", "content-type: application/octet-stream", uri]);
}

/**
 * Downloads a file, and throws its bytes away.
 *
 * @param {FileServer} server
 * @param {FreshFile} file
 */
export async function download(server, file) {
  const { uri, headers } = await server.downloadOf(file);
  const fields = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  return await timed(server, [...fields, uri]);
}

/**
 * @param {FileServer} server
 * @param {readonly string[]} args of curl
 * @returns {Promise<Transfer>}
 */
async function timed({ pid }, args) {
  // Data that another server wrote before must not be counted for this server.
  execFileSync("sync");
  const cpu = cpuSeconds(pid);
  const began = performance.now();
  const child = spawn("curl", ["-sS", "--fail", "--noproxy", "*", "-o", "/dev/null", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  const wall = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`curl ${args.join(" ")} ended with ${code}`);
  // The server may still work a little after its answer.
  await sleep(100);
  return { wall, cpu: cpuSeconds(pid) - cpu };
}
