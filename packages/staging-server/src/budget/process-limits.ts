import { readFileSync } from "node:fs";
import { processMemory } from "@kindling/service";

/** What the system lets this process have. */
export interface ProcessLimits {
  /** Open files and sockets. */
  readonly descriptors: number;
  /** Bytes of memory: of the JavaScript heap, or of the container where that is less. */
  readonly memory: number;
}

// What a shell gives its programs, where the system does not tell.
const USUAL_DESCRIPTORS = 1024;

/** Linux tells the limit of descriptors (proc_pid_limits(5)); elsewhere the usual one is assumed. */
export function processLimits(): ProcessLimits {
  return { descriptors: descriptorLimit(readLimits()), memory: processMemory() };
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

function descriptorLimit(text: string): number {
  const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(text) ?? [];
  if (soft === undefined) return USUAL_DESCRIPTORS;
  return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft);
}
