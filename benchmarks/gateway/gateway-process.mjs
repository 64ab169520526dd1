import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { testAuthority } from "@kindling/test-kit/certificates";
import { entering, memoryGroup } from "../hostile/memory-group.mjs";

const COMMAND = fileURLToPath(new URL("../../packages/gateway/bin/kindling-gateway.cjs", import.meta.url));
const COUNTER = new URL("count-requests.mjs", import.meta.url).href;
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;

/**
 * The command of the gateway as a process, with a certificate of its own. It can be killed and started again, on the same
 * port.
 *
 * @param options.kubeconfig how it reaches its API server
 * @param options.settings flags beside those that every run needs
 * @param options.memoryMiB how much memory it may have, where a cgroup can be made; without it, what there is
 */
export async function gatewayProcess({ kubeconfig, namespace, host = "127.0.0.1", settings = [], memoryMiB }) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-gateway-"));
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
  const log = [];
  const group = memoryMiB === undefined ? undefined : memoryGroup(memoryMiB);
  let child;
  let port = 0;
  let uri;
  let adminUri;

  async function start() {
    const args = argumentsOf({ kubeconfig, namespace, host, port, settings }, files);
    // The shell enters the group, and becomes the gateway.
    const command = [process.execPath, "--import", COUNTER, COMMAND, ...args];
    child = spawn("sh", ["-c", `${entering(group)}exec "$0" "$@"`, ...command], {
      env: { ...ENVIRONMENT, ...heapOf(memoryMiB), KINDLING_COUNT_FILE: files.counts },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.on("exit", (code, signal) => log.push(`the gateway ended: ${signal ?? code}\n`));
    const lines = createInterface({ input: child.stdout });
    await new Promise((resolve, reject) => {
      child.on("exit", (code) => reject(new Error(`the gateway ended with ${code}: ${log.slice(-3).join("")}`)));
      lines.on("line", (line) => {
        log.push(line);
        const entry = JSON.parse(line);
        if (entry.uri !== undefined) {
          ({ uri, adminUri } = entry);
          port = Number(new URL(uri).port);
        }
        if (entry.msg === "the cluster has been listed") resolve();
      });
    });
  }

  async function end(signal) {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  await start();
  return {
    ca: authority.cert,
    caFile: files.ca,
    log,
    get pid() {
      return child.pid;
    },
    get uri() {
      return uri;
    },
    get adminUri() {
      return adminUri;
    },
    /** Whether it is the process that was started last. */
    get isAlive() {
      return child.exitCode === null && child.signalCode === null;
    },
    group,
    /** Requests to the API server, by verb and resource: `made` so far, and `open` now. */
    requests: () => countsOf(child, files.counts),
    kill: async () => await end("SIGKILL"),
    start,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) await end("SIGTERM");
      group?.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

function argumentsOf({ kubeconfig, namespace, host, port, settings }, files) {
  return [
    ...["--listen-host", host === "127.0.0.1" ? host : "0.0.0.0", "--listen-port", port],
    ...["--admin-host", "127.0.0.1", "--admin-port", "0"],
    ...["--tls-cert-file", files.cert, "--tls-key-file", files.key],
    ...["--cluster-namespaces", namespace, "--cluster-kubeconfig", kubeconfig, ...settings],
  ].map(String);
}

/** As the chart starts it in a small container. */
function heapOf(memoryMiB) {
  if (memoryMiB === undefined) return {};
  return {
    NODE_OPTIONS: `--max-old-space-size=${Math.floor(memoryMiB * 0.4)} --max-semi-space-size=7`,
    MALLOC_ARENA_MAX: "2",
    MALLOC_MMAP_THRESHOLD_: "8192",
  };
}

async function countsOf(child, file) {
  rmSync(file, { force: true });
  child.kill("SIGUSR2");
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
  return JSON.parse(readFileSync(file, "utf8"));
}
