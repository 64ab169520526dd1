// @ts-check
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { testAuthority } from "@kindling/test-kit/certificates";
import { ENVIRONMENT } from "../harness/environment.mjs";
import { entering, memoryGroup } from "../harness/memory-group.mjs";
import { end, isRunning, pidOf } from "../harness/processes.mjs";
import { sleep } from "../harness/wait.mjs";

const COMMAND = fileURLToPath(new URL("../../packages/gateway/bin/kindling-gateway.cjs", import.meta.url));
const COUNTER = new URL("count-requests.mjs", import.meta.url).href;

/**
 * @typedef {object} GatewayOptions
 * @property {string} kubeconfig how it reaches its API server
 * @property {string} namespace
 * @property {string} [host] where it listens
 * @property {readonly string[]} [settings] flags in addition to those that every run needs
 * @property {number} [memoryMiB] how much memory it may use, if a cgroup can be made; without this, there is no limit
 */

/** @typedef {Awaited<ReturnType<typeof gatewayProcess>>} GatewayProcess */
/** @typedef {import("./count-requests.mjs").RequestCounts} RequestCounts */

/**
 * @typedef {{ msg: string, uri?: string, adminUri?: string }} LogEntry a log entry of the gateway; only the members that are
 * used
 */

/**
 * The command of the gateway as a process, with its own certificate. It can be killed and started again on the same port.
 *
 * @param {GatewayOptions} options
 */
export async function gatewayProcess({ kubeconfig, namespace, host = "127.0.0.1", settings = [], memoryMiB }) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-gateway-"));
  const { files, ca } = filesOf(folder, host);
  /** @type {string[]} */
  const log = [];
  const group = memoryMiB === undefined ? undefined : memoryGroup(memoryMiB);
  let uri = "";
  let adminUri = "";
  let child = await begin(0);

  /**
   * Starts it, and waits until it is ready.
   *
   * @param {number} port where it listens; 0 for any free port
   */
  async function begin(port) {
    const args = argumentsOf({ kubeconfig, namespace, host, settings }, port, files);
    // The shell enters the group, and then replaces itself with the gateway.
    const command = [process.execPath, "--import", COUNTER, COMMAND, ...args];
    const child = spawn("sh", ["-c", `${entering(group)}exec "$0" "$@"`, ...command], {
      env: { ...ENVIRONMENT, ...heapOf(memoryMiB), KINDLING_COUNT_FILE: files.counts },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.on("exit", (code, signal) => log.push(`the gateway ended: ${signal ?? code}\n`));
    const lines = createInterface({ input: child.stdout });
    /** @type {Promise<void>} */
    const works = new Promise((resolve, reject) => {
      child.on("exit", (code) => reject(new Error(`the gateway ended with ${code}: ${log.slice(-3).join("")}`)));
      lines.on("line", (line) => {
        log.push(line);
        /** @type {LogEntry} */
        const entry = JSON.parse(line);
        if (entry.uri !== undefined) [uri, adminUri] = [entry.uri, entry.adminUri ?? ""];
        if (entry.msg === "the cluster has been listed") resolve();
      });
    });
    await works;
    return child;
  }

  return {
    ca,
    caFile: files.ca,
    log,
    get pid() {
      return pidOf(child);
    },
    get uri() {
      return uri;
    },
    get adminUri() {
      return adminUri;
    },
    /** Whether the process that was started last is running. */
    get isAlive() {
      return isRunning(child);
    },
    group,
    /** Requests to the API server, by verb and resource: `made` so far, and `open` now. */
    requests: () => countsOf(child, files.counts),
    kill: () => end(child, "SIGKILL"),
    /** To be called after it was killed. */
    async start() {
      child = await begin(Number(new URL(uri).port));
    },
    async stop() {
      await end(child);
      group?.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * The paths of the files that it reads and writes, and the text of its authority.
 *
 * @param {string} folder
 * @param {string} host
 */
function filesOf(folder, host) {
  const authority = testAuthority("the gateway's authority");
  const { cert, key } = authority.issue("gateway", { names: [host, "127.0.0.1", "localhost"] });
  const files = {
    counts: join(folder, "counts.json"),
    ca: join(folder, "ca.crt"),
    cert: join(folder, "tls.crt"),
    key: join(folder, "tls.key"),
  };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  writeFileSync(files.ca, authority.cert);
  return { files, ca: authority.cert };
}

/**
 * @param {Required<Omit<GatewayOptions, "memoryMiB">>} options
 * @param {number} port
 * @param {{ cert: string, key: string }} files
 */
function argumentsOf({ kubeconfig, namespace, host, settings }, port, files) {
  return [
    ...["--listen-host", host === "127.0.0.1" ? host : "0.0.0.0", "--listen-port", String(port)],
    ...["--admin-host", "127.0.0.1", "--admin-port", "0"],
    ...["--tls-cert-file", files.cert, "--tls-key-file", files.key],
    ...["--cluster-namespaces", namespace, "--cluster-kubeconfig", kubeconfig, ...settings],
  ];
}

/**
 * The same setting of the heap as in the chart for a small container.
 *
 * @param {number | undefined} memoryMiB
 */
function heapOf(memoryMiB) {
  if (memoryMiB === undefined) return {};
  return {
    NODE_OPTIONS: `--max-old-space-size=${Math.floor(memoryMiB * 0.4)} --max-semi-space-size=7`,
    MALLOC_ARENA_MAX: "2",
    MALLOC_MMAP_THRESHOLD_: "8192",
  };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} file that the process writes
 * @returns {Promise<RequestCounts>}
 */
async function countsOf(child, file) {
  rmSync(file, { force: true });
  child.kill("SIGUSR2");
  while (!existsSync(file)) await sleep(10);
  return JSON.parse(readFileSync(file, "utf8"));
}
