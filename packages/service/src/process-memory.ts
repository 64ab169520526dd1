import { getHeapStatistics } from "node:v8";

/** Bytes of memory that this process may have: of the JavaScript heap, or of the container where that is less. */
export function processMemory(): number {
  const constrained = process.constrainedMemory();
  const heap = getHeapStatistics().heap_size_limit;
  // Zero, or a number beyond all memory, stands for no limit.
  return constrained > 0 ? Math.min(heap, constrained) : heap;
}

/** What a process may take, in bytes. */
export interface MemoryParts {
  /** For its objects: its JavaScript heap, if its container has room for that. */
  readonly heap: number;
  /** For connections and buffers, beside the heap and the program itself; without a container nobody counts that. */
  readonly beside: number;
}

/** What this process may take. */
export function memoryParts(): MemoryParts {
  const constrained = process.constrainedMemory();
  const limit = getHeapStatistics().heap_size_limit;
  if (constrained <= 0) return { heap: limit, beside: Infinity };
  const heap = Math.min(limit, heapOf(constrained));
  return { heap, beside: Math.max(0, constrained - heap - PROGRAM) };
}

/** What the program takes beside its heap before anybody asks for anything, in bytes. */
const PROGRAM = 56 * 1024 * 1024;
const LEAST_BESIDE_HEAP = 78 * 1024 * 1024;

/** How large the heap may be in a container: connections and buffers need room beside it, and most of it where there is little. */
function heapOf(container: number): number {
  return Math.max(container * 0.4, container * 0.7 - LEAST_BESIDE_HEAP);
}
