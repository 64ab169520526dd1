import { MOST_RAISES, nextSize } from "../../healing/next-size.ts";
import type { ProfileRecord } from "../../healing/memory-record.ts";
import type { MemoryWish } from "../../healing/memory-wish.ts";
import {
  type EndedExecutor,
  endWords,
  exhaustedWords,
  fewerTasksWords,
  grownWords,
  type MemoryLimit,
} from "../../healing/memory-words.ts";

/** What is done about an executor that ended for lack of memory. */
export interface MemoryDecision {
  /** `known`: executors that are made now are larger already. */
  readonly kind: "grown" | "fewer-tasks" | "known" | "exhausted";
  /** What is recorded from now on; `undefined`: what was recorded before. */
  readonly record: ProfileRecord | undefined;
  readonly words: string;
  /** Whether Spark counts the lost tasks as failed. */
  readonly isCounted: boolean;
}

export interface GrowthFacts {
  readonly wish: MemoryWish;
  readonly profile: string;
  /** What limits the memory of an executor, besides the wish of its user. */
  readonly limits: readonly MemoryLimit[];
}

/** Without `spark.kindling.memory.max`, executors grow to this many times their first size. */
const UNSET_MAX = 3;

/**
 * Decides about an executor that ended for lack of memory. Spark counts one failure of its tasks for each size that was tried,
 * so that a task that needs more than there is fails as soon as without the gateway. Executors of a size that is known to be too
 * small do not count. If tasks may fail less often than there are sizes, the first sizes do not count either.
 *
 * @param record what was done for executors of its profile before
 */
export function decideGrowth(
  ended: EndedExecutor,
  record: ProfileRecord | undefined,
  { wish, profile, limits }: GrowthFacts,
): MemoryDecision {
  const growth = record ?? { first: ended.size, now: ended.size, raises: 0 };
  const { first, now, raises } = growth;
  const limit = strictest([ownLimit(wish, first.total), ...limits]);
  const next = nextSize(ended.cause, ended.size, growth, { most: limit.most, leastSlots: wish.taskCpus });
  const isCounted = raises > MOST_RAISES - wish.attempts;
  const recorded = { first, raises: raises + 1, isExhausted: false };
  switch (next.kind) {
    case "known":
      return { kind: "known", record: undefined, words: endWords(ended), isCounted: false };
    case "grown": {
      const words = grownWords(ended, next.size, { profile, beside: wish.beside });
      return { kind: "grown", record: { ...recorded, now: next.size, words }, words, isCounted };
    }
    case "fewer-tasks": {
      const words = fewerTasksWords(ended, next.size.slots, limit);
      return { kind: "fewer-tasks", record: { ...recorded, now: next.size, words }, words, isCounted };
    }
    case "none": {
      const words = exhaustedWords(ended, limit);
      return { kind: "exhausted", record: { first, now, raises, words, isExhausted: true }, words, isCounted: true };
    }
  }
}

function ownLimit({ most }: MemoryWish, first: number): MemoryLimit {
  return most === undefined ? { kind: "unset-max", most: first * UNSET_MAX } : { kind: "max", most };
}

function strictest(limits: readonly [MemoryLimit, ...MemoryLimit[]]): MemoryLimit {
  return limits.reduce((one, other) => (other.most < one.most ? other : one));
}
