import { getHeapStatistics } from "node:v8";

/** Bytes of memory that this process may have: of the JavaScript heap, or of the container where that is less. */
export function processMemory(): number {
  const constrained = process.constrainedMemory();
  const heap = getHeapStatistics().heap_size_limit;
  // Zero, or a number beyond all memory, stands for no limit.
  return constrained > 0 ? Math.min(heap, constrained) : heap;
}

/** Bytes that the objects of this process may take: its JavaScript heap, if its container has room for that. */
export function heapMemory(): number {
  const constrained = process.constrainedMemory();
  const heap = getHeapStatistics().heap_size_limit;
  return constrained > 0 ? Math.min(heap, heapOf(constrained)) : heap;
}

/** What the program itself takes beside its objects, in bytes. */
const PROGRAM = 64 * 1024 * 1024;

/** How large the heap may be in a container: connections and buffers need room beside it, and most of it where there is little. */
function heapOf(container: number): number {
  return Math.max(container * 0.45, container * 0.7 - PROGRAM);
}
