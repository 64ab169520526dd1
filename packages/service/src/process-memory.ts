import { getHeapStatistics } from "node:v8";

/** How many bytes of memory this process may use: the limit of the JavaScript heap, or of the container if that is lower. */
export function processMemory(): number {
  const constrained = process.constrainedMemory();
  const heap = getHeapStatistics().heap_size_limit;
  // Zero, or a number larger than all memory, means no limit.
  return constrained > 0 ? Math.min(heap, constrained) : heap;
}

/** How much memory a process may use, in bytes. */
export interface MemoryParts {
  /** For its objects: the limit of its JavaScript heap, if its container has room for that. */
  readonly heap: number;
  /** For connections and buffers, outside the heap and the program itself; without a container there is no limit. */
  readonly beside: number;
}

/** How much memory this process may use. */
export function memoryParts(): MemoryParts {
  const constrained = process.constrainedMemory();
  const limit = getHeapStatistics().heap_size_limit;
  if (constrained <= 0) return { heap: limit, beside: Infinity };
  const heap = Math.min(limit, heapOf(constrained));
  return { heap, beside: Math.max(0, constrained - heap - PROGRAM) };
}

/** What the program itself takes outside its heap without requests, in bytes. */
const PROGRAM = 56 * 1024 * 1024;
const LEAST_BESIDE_HEAP = 78 * 1024 * 1024;

/**
 * How large the heap may be in a container. Connections and buffers need room as well; in a small container they need most of
 * it.
 */
function heapOf(container: number): number {
  return Math.max(container * 0.4, container * 0.7 - LEAST_BESIDE_HEAP);
}
