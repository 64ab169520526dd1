import { readFileSync } from "node:fs";
import { processMemory } from "@kindling/service";

/** The system's limits for this process. */
export interface ProcessLimits {
  /** Open files and sockets. */
  readonly descriptors: number;
  /** Bytes of memory: of the JavaScript heap, or of the container where that is less. */
  readonly memory: number;
}

// The usual limit of a shell, if the system does not report one.
const USUAL_DESCRIPTORS = 1024;

/** Linux reports the limit of descriptors (proc_pid_limits(5)); on other systems the usual one is assumed. */
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
