import { getHeapStatistics } from "node:v8";

/** Bytes of memory that this process may have: of the JavaScript heap, or of the container where that is less. */
export function processMemory(): number {
  const constrained = process.constrainedMemory();
  const heap = getHeapStatistics().heap_size_limit;
  // Zero, or a number beyond all memory, stands for no limit.
  return constrained > 0 ? Math.min(heap, constrained) : heap;
}

/** What connections, buffers and the program itself take beside the objects of a process, as a share of its container. */
const BESIDE_OBJECTS = 2 / 5;

/** Bytes that the objects of this process may take: its JavaScript heap, if its container has room for that. */
export function heapMemory(): number {
  const constrained = process.constrainedMemory();
  const heap = getHeapStatistics().heap_size_limit;
  return constrained > 0 ? Math.min(heap, constrained * (1 - BESIDE_OBJECTS)) : heap;
}
