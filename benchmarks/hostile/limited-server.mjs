// A real staging server that may have 256 MiB of memory and 256 open files, and what it makes of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@kindling/test-kit/free-port";

const COMMAND = fileURLToPath(
  new URL("../../packages/staging-server/bin/kindling-staging-server.cjs", import.meta.url),
);
const MEBIBYTE = 1024 * 1024;

export async function limitedServer({ folder, memoryMiB, descriptors, settings = {} }) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const group = memoryGroup(memoryMiB * MEBIBYTE);
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
  const enter = group === undefined ? "" : `echo $$ > ${group.procs} && `;
  const child = spawn("sh", ["-c", `${enter}ulimit -n ${descriptors} && exec "$0" "$@"`, COMMAND, ...args], {
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

/** A memory cgroup of either version, where this user may make one; `undefined` elsewhere. */
function memoryGroup(bytes) {
  const name = `kindling-hostile-${process.pid}`;
  const kinds = [
    { kind: "cgroup v2", root: "/sys/fs/cgroup", probe: "cgroup.subtree_control", limit: "memory.max" },
    {
      kind: "cgroup v1",
      root: "/sys/fs/cgroup/memory",
      probe: "memory.limit_in_bytes",
      limit: "memory.limit_in_bytes",
    },
  ];
  for (const { kind, root, probe, limit } of kinds) {
    if (!existsSync(join(root, probe))) continue;
    const path = join(root, name);
    try {
      if (kind === "cgroup v2") writeFileSync(join(root, probe), "+memory");
      mkdirSync(path);
      writeFileSync(join(path, limit), String(bytes));
      return { kind, path, procs: join(path, "cgroup.procs"), remove: () => rmdirSync(path) };
    } catch {
      // Not for this user, or the controller is with the other version.
    }
  }
  return undefined;
}

/** Looks four times a second at what a process has. */
function watchUsage(pid, group) {
  const peaks = { memory: 0, kernelMemory: 0, descriptors: 0 };
  const look = () => {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      peaks.memory = Math.max(peaks.memory, Number(kilobytes ?? 0) / 1024);
      peaks.descriptors = Math.max(peaks.descriptors, readdirSync(`/proc/${pid}/fd`).length);
      const kernel = group && join(group.path, "memory.kmem.usage_in_bytes");
      if (kernel !== undefined && existsSync(kernel)) {
        peaks.kernelMemory = Math.max(peaks.kernelMemory, Number(readFileSync(kernel, "utf8")) / MEBIBYTE);
      }
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, 250);
  return { peaks: () => ({ ...peaks }), stop: () => clearInterval(timer) };
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
