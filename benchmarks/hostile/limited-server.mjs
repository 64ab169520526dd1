// @ts-check
// A real staging server with a limit of 256 MiB of memory and 256 open files, and how much of both it uses.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@kindling/test-kit/free-port";
import { ENVIRONMENT } from "../harness/environment.mjs";
import { entering, memoryGroup } from "../harness/memory-group.mjs";
import { end, isRunning, pidOf, untilAnswered } from "../harness/processes.mjs";
import { watchUsage } from "../harness/watch-usage.mjs";

const COMMAND = fileURLToPath(
  new URL("../../packages/staging-server/bin/kindling-staging-server.cjs", import.meta.url),
);

/**
 * @param {object} options
 * @param {string} options.folder for its store
 * @param {number} options.memoryMiB
 * @param {number} options.descriptors
 * @param {Readonly<Record<string, string>>} [options.settings] that differ from the usual ones
 */
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
  // The shell enters the group, lowers its limit, and then replaces itself with the server.
  const child = spawn("sh", ["-c", `${entering(group)}ulimit -n ${descriptors} && exec "$0" "$@"`, COMMAND, ...args], {
    env: ENVIRONMENT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const server = { uri: `http://127.0.0.1:${port}/`, adminUri: `http://127.0.0.1:${adminPort}/`, port };
  const usage = watchUsage(pidOf(child), group);
  await untilAnswered(child, `${server.adminUri}healthz`, ({ ok }) => ok);
  return {
    ...server,
    limits: `${group === undefined ? "no cgroup, " : `${memoryMiB} MiB (${group.kind}), `}${descriptors} descriptors`,
    /** Peaks so far, and whether the process that was started is still running. */
    usage: () => ({ ...usage.peaks(), alive: isRunning(child) }),
    async stop() {
      usage.stop();
      await end(child);
      group?.remove();
    },
  };
}
