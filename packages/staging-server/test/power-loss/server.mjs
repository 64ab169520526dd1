// The command itself, as a process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../../bin/kindling-staging-server.cjs", import.meta.url));

// Lives so short that everything that a server does happens within seconds.
const SETTINGS = [
  "--listen-host=127.0.0.1",
  "--admin-host=127.0.0.1",
  "--admin-port=0",
  "--auth-mode=none",
  "--lifecycle-owners=none",
  "--lifecycle-interval=1s",
  "--lifecycle-blob-grace=0s",
  "--lifecycle-unused-ttl=1h",
  "--lease-ttl=5s",
  "--limits-one-shot-bytes=100k",
  "--store-min-free=0",
  "--scrub-interval=2s",
  "--scrub-rate=64m",
  "--shutdown-grace=0s",
];

const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a server; rejects with its output if it does not serve. */
export async function startServer(folder, port = 0) {
  const child = spawn(process.execPath, [COMMAND, `--store-path=${folder}`, `--listen-port=${port}`, ...SETTINGS], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const exited = once(child, "exit").then(([code]) => code);
  child.once("exit", () => running.delete(child));
  const errors = [];
  let complaint = "";
  child.stderr.on("data", (data) => (complaint += data));
  const serving = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry = JSON.parse(line);
      if (entry.msg === "serving") resolve(entry);
      if (entry.level === "error") errors.push(entry);
    });
    exited.then((code) => reject(new Error(`the server ended with ${code}: ${complaint}`)), reject);
  });
  const { uri, adminUri } = await serving;
  return {
    uri,
    adminUri,
    /** What it has logged as errors. */
    errors,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    /** @returns its exit code */
    async stop() {
      child.kill("SIGTERM");
      return await exited;
    },
  };
}
