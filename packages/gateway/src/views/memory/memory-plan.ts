import type { MemoryParts } from "@kindling/service";

/** How much memory each part of the gateway may use, in bytes. */
export interface MemoryPlan {
  /** What is kept of what drivers have sent, and of what the cluster shows of their objects. */
  readonly kept: number;
  /** The most that one application may have of it, however much is free. */
  readonly keptPerApplication: number;
  /** Bodies of requests that are being read, of all drivers together. */
  readonly bodies: number;
  /** How many connections of drivers are taken at once. */
  readonly connections: number;
}

export interface MemorySettings {
  readonly "memory.kept": number | undefined;
  readonly "memory.keptPerApplication": number | undefined;
  readonly "memory.bodies": number | undefined;
  readonly "listen.connections": number | undefined;
}

const MEBIBYTE = 1024 * 1024;
/** What the program has on its heap before anybody asks for anything, and what it needs to plan and to answer. */
const PROGRAM = 32 * MEBIBYTE;
/** Several times the largest body, so that one is always taken. */
const LEAST_FOR_BODIES = 16 * MEBIBYTE;

const MOST_CONNECTIONS = 10_000;
/** Some twenty drivers: a container that has no room for them at all serves nobody anyway. */
const LEAST_CONNECTIONS = 64;
/**
 * Beside the heap. An idle connection with TLS takes 50 KiB, one with a body that is being read 100 KiB; the bodies
 * themselves are there too, and what was taken and given back leaves gaps.
 */
const BESIDE_FOR_CONNECTION = 176 * 1024;

/** Divides the memory that a process may take. What is left of its heap is for the program, and for what is on its way to drivers. Pure. */
export function planMemory({ heap, beside }: MemoryParts, settings: MemorySettings): MemoryPlan {
  const kept = Math.floor(settings["memory.kept"] ?? (Math.max(heap / 4, heap - PROGRAM) * 5) / 8);
  return {
    kept,
    keptPerApplication: Math.floor(settings["memory.keptPerApplication"] ?? kept),
    connections: settings["listen.connections"] ?? connectionsIn(beside),
    bodies: Math.floor(Math.max(LEAST_FOR_BODIES, settings["memory.bodies"] ?? heap / 16)),
  };
}

function connectionsIn(beside: number): number {
  return Math.max(LEAST_CONNECTIONS, Math.min(MOST_CONNECTIONS, Math.floor(beside / BESIDE_FOR_CONNECTION)));
}
