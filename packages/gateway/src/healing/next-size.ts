import type { MemoryCause } from "./memory-end.ts";
import type { ExecutorSize } from "./executor-size.ts";

/** What was done for the executors of one resource profile so far. */
export interface Growth {
  /** As the driver asks for them. */
  readonly first: ExecutorSize;
  /** As they are made now. */
  readonly now: ExecutorSize;
  /** How often they were made larger. */
  readonly raises: number;
}

/** How far executors may grow. */
export interface Room {
  /** The most memory that one executor can have, in MiB. */
  readonly most: number;
  /** How many tasks an executor runs at least: as many as one task takes CPUs. */
  readonly leastSlots: number;
}

export type NextSize =
  /** Executors of this size have been made larger already: this one was made before that. */
  | { readonly kind: "known" }
  | { readonly kind: "grown"; readonly size: ExecutorSize }
  /** There is no room for more memory: its tasks run one after the other. */
  | { readonly kind: "fewer-tasks"; readonly size: ExecutorSize }
  | { readonly kind: "none" };

/**
 * How often executors are made larger. Spark gives up a task after four attempts (`spark.task.maxFailures`), so the fourth
 * attempt gets the most that there is: as much memory as it may have, and no other task beside it.
 */
export const MOST_RAISES = 3;
const FACTORS = [1.5, 2] as const;
/** The last of three steps leads to three times the first size, or to all that there is. */
const USUAL_RANGE = 3;
/** A smaller growth would only take time. */
const LEAST_GAIN = 0.1;
/** Each growth is at least this large, compared with what was too little. */
const LEAST_STEP = 1.25;

/**
 * The size of the executors that take the place of one that ended for lack of memory. The part that was too small becomes 1.5
 * times and then twice as large as at first; the third time, it takes all that is left. If there is room for much more than
 * three times the first size, the steps are larger.
 *
 * @param died the size of the executor that ended
 */
export function nextSize(cause: MemoryCause, died: ExecutorSize, growth: Growth, room: Room): NextSize {
  const { first, now, raises } = growth;
  if (partOf(cause, died) < partOf(cause, now) || died.slots > now.slots) return { kind: "known" };
  const isLast = raises + 1 >= MOST_RAISES;
  const left = Math.max(0, room.most - now.total);
  const share = cause === "direct" ? 2 : 1;
  const wanted = Math.ceil(partOf(cause, first) * factorOf(raises, room.most / first.total));
  const step = Math.max(wanted, Math.ceil(Math.max(partOf(cause, died), partOf(cause, now)) * LEAST_STEP));
  const available = Math.floor(left / share);
  const gain = isLast ? available : Math.min(step - partOf(cause, now), available);
  const fewest = Math.min(now.slots, room.leastSlots);
  if (raises < MOST_RAISES && gain >= partOf(cause, now) * LEAST_GAIN) {
    const heap = cause === "container" ? now.heap : now.heap + gain;
    return { kind: "grown", size: { heap, total: now.total + gain * share, slots: isLast ? fewest : now.slots } };
  }
  return now.slots > fewest ? { kind: "fewer-tasks", size: { ...now, slots: fewest } } : { kind: "none" };
}

/** How many more sizes there are, if each executor ends for the same cause. */
export function sizesLeft(cause: MemoryCause, growth: Growth, room: Room): number {
  const next = nextSize(cause, growth.now, growth, room);
  if (next.kind === "known" || next.kind === "none") return 0;
  return 1 + sizesLeft(cause, { ...growth, now: next.size, raises: growth.raises + 1 }, room);
}

/** The part of an executor whose size decides. The limit of the container counts as a whole, because Java's heap is in it. */
function partOf(cause: MemoryCause, { heap, total }: ExecutorSize): number {
  return cause === "container" ? total : heap;
}

/** @param range how many times the first size there is room for */
function factorOf(raises: number, range: number): number {
  const even = range > USUAL_RANGE ? range ** ((raises + 1) / MOST_RAISES) : 0;
  return Math.max(FACTORS[raises] ?? 0, even);
}
