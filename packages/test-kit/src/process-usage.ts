// What a process costs, as Linux counts it.
import { readdirSync, readFileSync } from "node:fs";

// A second has so many clock ticks on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process and its children have used so far, those that have ended among them. */
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

/** The most memory that a process has had at a time, without its children, in MiB. */
export function peakMemory(pid: number): number {
  return memoryOf(pid, "VmHWM");
}

/** The children of a process, and theirs. */
export function descendants(pid: number): number[] {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ child: Number(name), parent: Number(statOf(Number(name))?.[1] ?? 0) }));
  const found = [pid];
  for (const above of found) found.push(...processes.flatMap(({ child, parent }) => (parent === above ? [child] : [])));
  return found.slice(1);
}

/** The fields of /proc/PID/stat behind the command's name, which may hold blanks: state, parent, …; undefined if it has ended. */
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
    // It has ended.
    return 0;
  }
}
