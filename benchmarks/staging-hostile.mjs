// @ts-check
// A staging server with little memory and few descriptors under attack by hostile connections, and how well a tenant is served
// at the same time. The tenant is measured alone first, then under attack.
//
//   node benchmarks/staging-hostile.mjs [--minutes 10] [--connections 2000] [--only KIND]
//
// Exits with 1 if the server ended, or if one transfer of the tenant failed. A run of five minutes or more also exits with 1 if
// a health check or one in twenty newcomers was not answered in time, or if the tenant was less than a quarter as fast as
// alone. KIND is the beginning of a name in hostile/kinds.mjs.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { limitedServer } from "./hostile/limited-server.mjs";
import { quantile } from "./harness/figures.mjs";
import { table } from "./harness/table.mjs";
import { sleep } from "./harness/wait.mjs";

const TENANT = new URL("hostile/tenant.mjs", import.meta.url);
const CROWD = new URL("hostile/crowd.mjs", import.meta.url);
const MEMORY_MIB = 256;
const DESCRIPTORS = 256;
// Shorter runs say little about times, especially on a busy computer.
const MINUTES_FOR_TIMES = 5;
const TENANTS = { good: "team-good", evil: "team-evil" };

/**
 * @param {object} [options]
 * @param {number} [options.minutes]
 * @param {number} [options.connections]
 * @param {string} [options.only] the beginning of a kind's name
 * @returns a markdown table, and whether everything was as required
 */
export async function stagingHostile({ minutes = 10, connections = 2000, only = "" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-hostile-"));
  const tokens = { good: randomBytes(24).toString("hex"), evil: randomBytes(24).toString("hex") };
  const settings = { "auth-mode": "token", "auth-access-file": accessFile(folder, tokens) };
  const server = await limitedServer({ folder, memoryMiB: MEMORY_MIB, descriptors: DESCRIPTORS, settings });
  /** @type {{ kill: () => void }[]} */
  const children = [];
  try {
    /** @type {Asked<import("./hostile/tenant.mjs").Done & { seconds: number }>} */
    const tenant = program(TENANT, server.uri, tokens.good, TENANTS.good, folder);
    children.push(tenant);
    const aloneSeconds = Math.min(60, Math.max(10, (minutes * 60) / 5));
    await sleep(3_000);
    await tenant.ask();
    await sleep(aloneSeconds * 1000);
    const alone = await tenant.ask();
    const target = {
      port: server.port,
      evilToken: tokens.evil,
      evilNamespace: TENANTS.evil,
      evilFile: await evilFile(server, tokens.evil),
    };
    /** @type {Asked<import("./hostile/kinds.mjs").CrowdCounts>} */
    const crowd = program(CROWD, JSON.stringify(target), String(connections), only);
    children.push(crowd);
    await sleep(5_000);
    await tenant.ask();
    const health = repeatedly(5000, () => fetch(`${server.adminUri}healthz`, { signal: AbortSignal.timeout(2000) }));
    const newcomers = repeatedly(500, () => newcomer(server, tokens.good));
    await sleep(minutes * 60_000);
    const attacked = await tenant.ask();
    const hostile = await crowd.ask();
    const usage = server.usage();
    const [healthy, met] = [health.stop(), newcomers.stop()];
    const ratio = attacked.bytes / attacked.seconds / (alone.bytes / alone.seconds);
    // If the kernel's queue of connections is full, a newcomer's first try can get lost, and the next tries take seconds.
    const areMet = met.failed <= (met.times.length + met.failed) / 20;
    const inTime = minutes < MINUTES_FOR_TIMES || (ratio >= 0.25 && healthy.failed === 0 && areMet);
    const ok = usage.alive && attacked.transfers > 0 && attacked.failed === 0 && inTime;
    const text = table([
      ["measured", "alone", `among ${connections} hostile connections`],
      ["seconds", alone.seconds.toFixed(0), attacked.seconds.toFixed(0)],
      ["transfers of the tenant, done", String(alone.transfers), String(attacked.transfers)],
      ["failed", String(alone.failed), String(attacked.failed)],
      ["requests tried again", String(alone.retries), String(attacked.retries)],
      ["longest round (4 files up and down)", `${alone.longestMs} ms`, `${attacked.longestMs} ms`],
      ["speed", speed(alone), `${speed(attacked)} (${ratio.toFixed(2)}×, at least 0.25× is wanted)`],
      ["health checks answered in 2 s", "", answered(healthy)],
      ["requests on new connections answered", "", answered(met)],
      [
        "server's memory at its peak",
        "",
        `${usage.memory.toFixed(0)} MiB, and ${usage.kernelMemory.toFixed(0)} MiB of the kernel's`,
      ],
      ["server's descriptors at their peak", "", String(usage.descriptors)],
      ["server's end", "", usage.alive ? "none: it stayed up" : "it ended"],
      [
        "hostile connections opened",
        "",
        `${hostile.opened}, answers ${JSON.stringify(hostile.answers).replaceAll('"', "")}`,
      ],
    ]);
    return { ok, text: `The server may have ${server.limits}.\n\n${text}` };
  } finally {
    for (const child of children) child.kill();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {Readonly<Record<keyof typeof TENANTS, string>>} tokens
 */
function accessFile(folder, tokens) {
  const path = join(folder, "access.json");
  /** @param {keyof typeof TENANTS} name */
  const subject = (name) => {
    const tokenSha256 = createHash("sha256").update(tokens[name]).digest("hex");
    return { name, tokenSha256, namespaces: [TENANTS[name]] };
  };
  const subjects = [subject("good"), subject("evil")];
  writeFileSync(path, JSON.stringify({ subjects }));
  return path;
}

/**
 * The file that the hostile tenant's slow readers download.
 *
 * @param {{ uri: string }} server
 * @param {string} token
 */
async function evilFile({ uri }, token) {
  const bytes = randomBytes(32 * 1024 * 1024);
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const headers = { authorization: `Bearer ${token}` };
  /**
   * @param {string} path
   * @param {object} document
   */
  const post = async (path, document) => {
    const body = JSON.stringify(document);
    const response = await fetch(`${uri}${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
  const opened = await post("api/v1/leases", { namespace: TENANTS.evil });
  const { leaseId: lease } = /** @type {{ leaseId: string }} */ (opened);
  await fetch(`${uri}api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", headers, body: bytes });
  const owner = { ownerNamespace: TENANTS.evil, ownerLabels: { a: "b" }, ownerType: "Pod" };
  const files = [{ name: "file", kind: "file", digest, size: bytes.length, mode: 0o644 }];
  const committed = await post("api/v1/bundles", { lease, owner, files });
  const { bundleId, secret } = /** @type {{ bundleId: string, secret: string }} */ (committed);
  return { path: `/api/v1/bundles/${bundleId}/files/file`, secret };
}

/**
 * @template T
 * @typedef {{ ask: () => Promise<T>, kill: () => void }} Asked
 */

/**
 * A program of this benchmark, which answers each line with a line of JSON.
 *
 * @template T
 * @param {URL} url
 * @param {readonly string[]} args
 * @returns {Asked<T>}
 */
function program(url, ...args) {
  const child = spawn(process.execPath, [fileURLToPath(url), ...args], { stdio: ["pipe", "pipe", "inherit"] });
  /** @type {((answer: T) => void)[]} */
  const waiting = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(JSON.parse(line)));
  return {
    ask: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.stdin.write("\n");
      }),
    kill: () => child.kill("SIGKILL"),
  };
}

/** @typedef {{ times: readonly number[], failed: number }} Answers how long each took, in milliseconds, and how many failed */

/**
 * Asks again and again, and counts the answers and failures.
 *
 * @param {number} ms
 * @param {() => Promise<{ readonly ok: boolean }>} ask
 * @returns {{ stop: () => Answers }}
 */
function repeatedly(ms, ask) {
  /** @type {number[]} */
  const times = [];
  let failed = 0;
  const timer = setInterval(() => {
    const begin = performance.now();
    ask().then(
      ({ ok }) => (ok ? times.push(performance.now() - begin) : failed++),
      () => failed++,
    );
  }, ms);
  return {
    stop() {
      clearInterval(timer);
      return { times, failed };
    },
  };
}

/**
 * A client with a valid token, but without a connection so far.
 *
 * @param {{ port: number }} server
 * @param {string} token
 * @returns {Promise<{ ok: boolean }>}
 */
function newcomer({ port }, token) {
  return new Promise((resolve, reject) => {
    const options = { port, path: "/api/v1/bundles?namespace=team-good", agent: false, timeout: 10_000 };
    const request = get({ ...options, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.on("end", () => resolve({ ok: response.statusCode === 200 }));
      response.on("error", reject);
    });
    request.on("error", reject).on("timeout", () => request.destroy(new Error("no answer")));
  });
}

/** @param {Answers} answers */
function answered({ times, failed }) {
  /** @param {number} part */
  const at = (part) => `${(times.length === 0 ? 0 : quantile(times, part)).toFixed(0)} ms`;
  return `${times.length} of ${times.length + failed}; half in ${at(0.5)}, 99 % in ${at(0.99)}`;
}

/** @param {{ bytes: number, seconds: number }} round */
function speed({ bytes, seconds: time }) {
  return `${(bytes / time / 1024 / 1024).toFixed(1)} MiB/s`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      connections: { type: "string", default: "2000" },
      only: { type: "string", default: "" },
    },
  });
  const { ok, text } = await stagingHostile({
    minutes: Number(values.minutes),
    connections: Number(values.connections),
    only: values.only,
  });
  process.stdout.write(text);
  process.exitCode = ok ? 0 : 1;
}
