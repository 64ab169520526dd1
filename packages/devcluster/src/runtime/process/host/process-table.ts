import { readFileSync, readdirSync } from "node:fs";

/** A process of this machine, from `/proc/<pid>/stat`. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Distinguishes a process from an earlier one with the same id: clock ticks since the machine's start. */
  readonly startTime: string;
  /** The start of its stack. A child has its parent's until it runs its own program. */
  readonly stackStart: string;
  readonly residentBytes: number;
}

const PAGE = 4096;

/** One process; undefined if it does not exist. */
export function processEntry(pid: number): ProcessEntry | undefined {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name, in parentheses, can contain any characters; the numbers come after the last parenthesis. Field 3 is the first
  // of them.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent] = fields;
  if (state === "Z" || state === "X") return undefined;
  return {
    pid,
    parent: Number(parent),
    startTime: fields[19] ?? "",
    residentBytes: Number(fields[21]) * PAGE,
    stackStart: fields[25] ?? "",
  };
}

/** All processes of this machine. */
export function processTable(): ProcessEntry[] {
  return readdirSync("/proc").flatMap((name) => {
    const entry = /^\d+$/.test(name) ? processEntry(Number(name)) : undefined;
    return entry === undefined ? [] : [entry];
  });
}

/** A process and its descendants. */
export function descendants(table: readonly ProcessEntry[], pid: number): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const list = children.get(entry.parent);
    if (list === undefined) children.set(entry.parent, [entry]);
    else list.push(entry);
  }
  const found = table.filter((entry) => entry.pid === pid);
  for (const entry of found) found.push(...(children.get(entry.pid) ?? []));
  return found;
}
