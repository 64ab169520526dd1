import { readFileSync } from "node:fs";
import type { Clock } from "@kindling/outside";
import { type ProcessEntry, descendants, processTable } from "../host/process-table.ts";

const PERIOD = 500;

interface Watched {
  readonly pid: number;
  readonly limit: number;
  readonly onExceeded: () => void;
}

/** Checks periodically how much memory containers use in total. */
export class MemoryWatch {
  readonly #clock: Clock;
  readonly #watched = new Set<Watched>();
  /** The processes of the last check. */
  #known: ReadonlySet<string> = new Set();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back when a process and its descendants use more than this many bytes. Returns a function that stops this. */
  watch(pid: number, limit: number, onExceeded: () => void): () => void {
    const one = { pid, limit, onExceeded };
    this.#watched.add(one);
    this.#schedule();
    return () => {
      this.#watched.delete(one);
      if (this.#watched.size === 0) this.stop();
    };
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(): void {
    this.#cancel ??= this.#clock.after(PERIOD, () => {
      this.#cancel = undefined;
      this.#look();
      if (this.#watched.size > 0) this.#schedule();
    });
  }

  #look(): void {
    const all = processTable();
    const table = withoutBorrowers(all, this.#known);
    this.#known = new Set(all.map(nameOf));
    for (const { pid, limit, onExceeded } of this.#watched) {
      const processes = descendants(table, pid);
      const resident = processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
      // In this sum, shared memory counts for each process. A closer look is needed only if the sum is too large.
      if (resident > limit && proportional(processes) > limit) onExceeded();
    }
  }
}

/**
 * Leaves out children that have no memory of their own yet. Java and Python start programs by vfork(2): until the program
 * runs, the child uses the whole memory of its parent, and /proc reports it for both. This takes only a moment, so a child
 * that is still there at the next check has its own memory: it was made by fork(2).
 */
function withoutBorrowers(table: readonly ProcessEntry[], known: ReadonlySet<string>): ProcessEntry[] {
  const stacks = new Map(table.map(({ pid, stackStart }) => [pid, stackStart]));
  return table.filter((entry) => known.has(nameOf(entry)) || stacks.get(entry.parent) !== entry.stackStart);
}

function nameOf({ pid, startTime }: ProcessEntry): string {
  return `${pid}@${startTime}`;
}

/** Memory of processes; shared memory counts once. */
function proportional(processes: readonly ProcessEntry[]): number {
  return processes.reduce((sum, { pid, residentBytes }) => sum + (shareOf(pid) ?? residentBytes), 0);
}

function shareOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
