import { getHeapStatistics } from "node:v8";

/** Bytes of memory that this process may have: of the JavaScript heap, or of the container where that is less. */
export function processMemory(): number {
  const constrained = process.constrainedMemory();
  const heap = getHeapStatistics().heap_size_limit;
  // Zero, or a number beyond all memory, stands for no limit.
  return constrained > 0 ? Math.min(heap, constrained) : heap;
}
