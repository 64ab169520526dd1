// The cost of a process, as Linux counts it.
import { readdirSync, readFileSync } from "node:fs";

// The number of clock ticks per second on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process and its children have used so far, including children that have ended. */
export function cpuSeconds(pid: number): number {
  const ticks = [pid, ...descendants(pid)].map((each) => {
    const [user = 0, system = 0, ofUsers = 0, ofSystems = 0] = (statOf(each)?.slice(11, 15) ?? []).map(Number);
    return user + system + ofUsers + ofSystems;
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** Resident memory of a process and its children, in MiB. */
export function residentMemory(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, each) => sum + memoryOf(each, "VmRSS"), 0);
}

/** The highest memory use of a process so far, without its children, in MiB. */
export function peakMemory(pid: number): number {
  return memoryOf(pid, "VmHWM");
}

/** The children of a process, and their children. */
export function descendants(pid: number): number[] {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ child: Number(name), parent: Number(statOf(Number(name))?.[1] ?? 0) }));
  const found = [pid];
  for (const above of found) found.push(...processes.flatMap(({ child, parent }) => (parent === above ? [child] : [])));
  return found.slice(1);
}

/**
 * The fields of /proc/PID/stat after the command's name, which may contain blanks: state, parent, …; undefined if the process
 * has ended.
 */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended.
    return 0;
  }
}
