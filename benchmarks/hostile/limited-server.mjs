// A real staging server that may have 256 MiB of memory and 256 open files, and what it makes of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@kindling/test-kit/free-port";
import { entering, memoryGroup } from "./memory-group.mjs";
import { watchUsage } from "./watch-usage.mjs";

const COMMAND = fileURLToPath(
  new URL("../../packages/staging-server/bin/kindling-staging-server.cjs", import.meta.url),
);

export async function limitedServer({ folder, memoryMiB, descriptors, settings = {} }) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const group = memoryGroup(memoryMiB);
  const all = {
    "listen-host": "127.0.0.1",
    "listen-port": port,
    "admin-host": "127.0.0.1",
    "admin-port": adminPort,
    "store-path": join(folder, "data"),
    "store-min-free": "64m",
    "lifecycle-owners": "none",
    "log-level": "warn",
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]);
  // The shell enters the group and lowers its limit, and becomes the server.
  const child = spawn("sh", ["-c", `${entering(group)}ulimit -n ${descriptors} && exec "$0" "$@"`, COMMAND, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const server = { uri: `http://127.0.0.1:${port}/`, adminUri: `http://127.0.0.1:${adminPort}/`, port };
  const usage = watchUsage(child.pid, group);
  await untilHealthy(child, `${server.adminUri}healthz`);
  return {
    ...server,
    limits: `${group === undefined ? "no cgroup, " : `${memoryMiB} MiB (${group.kind}), `}${descriptors} descriptors`,
    /** Peaks so far, and whether it is the process that was started. */
    usage: () => ({ ...usage.peaks(), alive: child.exitCode === null && child.signalCode === null }),
    async stop() {
      usage.stop();
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      group?.remove();
    },
  };
}

async function untilHealthy(child, uri) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("the server did not start");
    const healthy = await fetch(uri).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server did not become healthy");
}
