/** How much memory each part of the gateway may use, in bytes. */
export interface MemoryPlan {
  /** What is kept of what drivers have sent, and of what the cluster shows of their objects. */
  readonly kept: number;
  /** The most that one application may have of it, however much is free. */
  readonly keptPerApplication: number;
  /** Bodies of requests that are being read, of all drivers together. */
  readonly bodies: number;
}

export interface MemorySettings {
  readonly "memory.kept": number | undefined;
  readonly "memory.keptPerApplication": number | undefined;
  readonly "memory.bodies": number | undefined;
}

const MEBIBYTE = 1024 * 1024;
/** What the program has on its heap before anybody asks for anything, and what it needs to plan and to answer. */
const PROGRAM = 48 * MEBIBYTE;
/** Several times the largest body, so that one is always taken. */
const LEAST_FOR_BODIES = 16 * MEBIBYTE;

/** Divides the bytes that the objects of a process may take. What is left is for the program, and for what is on its way to drivers. Pure. */
export function planMemory(limit: number, settings: MemorySettings): MemoryPlan {
  const kept = Math.floor(settings["memory.kept"] ?? (Math.max(limit / 4, limit - PROGRAM) * 5) / 8);
  return {
    kept,
    keptPerApplication: Math.floor(settings["memory.keptPerApplication"] ?? kept),
    bodies: Math.floor(Math.max(LEAST_FOR_BODIES, settings["memory.bodies"] ?? limit / 16)),
  };
}
