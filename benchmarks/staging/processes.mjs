// Servers as processes of their own: started, waited for, looked at through /proc, ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

// A second has so many clock ticks on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

/** Starts a server, and waits until it answers at `uri`. */
export async function startServer(command, args, uri, options = {}) {
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const child = spawn(command, args, { env: { ...environment, ...options.env }, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors = (errors + chunk).slice(-2000)));
  let failure;
  child.on("error", (error) => (failure = error));
  for (let attempt = 0; ; attempt++) {
    if (failure !== undefined || child.exitCode !== null || attempt > 200) {
      child.kill("SIGKILL");
      throw new Error(`${command} did not start: ${failure?.message ?? errors}`);
    }
    if (
      await fetch(uri).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    pid: child.pid,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Seconds of processor time that a process and its children have used. */
export function cpuSeconds(pid) {
  return family(pid).reduce((sum, member) => {
    const fields = statOf(member);
    return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }, 0);
}

/** Resident memory of a process and its children, in MiB. */
export function residentMemory(pid) {
  const kilobytes = family(pid).map((member) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, "utf8"))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** The fields of /proc/PID/stat after the command's name, which may hold blanks: state, parent, … */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function family(pid) {
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(statOf(name)[1]));
    } catch {
      // It has ended meanwhile.
    }
  }
  const members = [pid];
  for (const member of members) for (const [child, parent] of parents) if (parent === member) members.push(child);
  return members;
}
