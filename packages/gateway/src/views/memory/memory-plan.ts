import type { MemoryParts } from "@kindling/service";

/** How much memory each part of the gateway may use, in bytes. */
export interface MemoryPlan {
  /** For the objects that drivers have sent, and for their state in the cluster. */
  readonly kept: number;
  /** The highest share of it that one application may have, however much is free. */
  readonly keptPerApplication: number;
  /** For request bodies that are being read, of all drivers together. */
  readonly bodies: number;
  /** How many connections of drivers are accepted at once. */
  readonly connections: number;
}

export interface MemorySettings {
  readonly "memory.kept": number | undefined;
  readonly "memory.keptPerApplication": number | undefined;
  readonly "memory.bodies": number | undefined;
  readonly "listen.connections": number | undefined;
}

const MEBIBYTE = 1024 * 1024;
/** What the program itself has on its heap without requests, and what it needs to plan and to answer. */
const PROGRAM = 32 * MEBIBYTE;
/** Several times the largest body, so that one is always accepted. */
const LEAST_FOR_BODIES = 16 * MEBIBYTE;

const MOST_CONNECTIONS = 10_000;
/** Enough for about twenty drivers: a container without room for them is useless anyway. */
const LEAST_CONNECTIONS = 64;
/**
 * Memory outside the heap. An idle connection with TLS takes 50 KiB, one with a body that is being read 100 KiB. The bodies
 * themselves are there, too, and freed memory leaves gaps.
 */
const BESIDE_FOR_CONNECTION = 176 * 1024;

/** Divides the memory of a process. The rest of its heap is for the program, and for answers to drivers. Pure. */
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
