import type { ExecutorSize } from "../../healing/executor-size.ts";
import { MOST_RAISES, nextSize, sizesLeft } from "../../healing/next-size.ts";
import { type ProfileRecord, unchanged } from "../../healing/memory-record.ts";
import type { MemoryWish } from "../../healing/memory-wish.ts";
import {
  type EndedPod,
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
  /** What is recorded from now on. */
  readonly record: ProfileRecord;
  readonly words: string;
  /** Whether Spark counts the lost tasks as failed. */
  readonly isCounted: boolean;
}

export interface GrowthFacts {
  readonly wish: MemoryWish;
  readonly profile: string;
  /** How much memory the application asks for, in MiB, if it began with another size. */
  readonly asked?: number | undefined;
  /** What limits the memory of an executor, besides the wish of its user. */
  readonly limits: readonly MemoryLimit[];
}

/** Without `spark.kindling.memory.max`, executors grow to this many times their first size. */
const UNSET_MAX = 3;

/**
 * Decides about an executor that ended for lack of memory. Spark counts one failure of its tasks for each size that was tried,
 * so that a task that needs more than there is fails as soon as without the gateway. Executors of a size that is known to be too
 * small count only if enough attempts are left for all larger sizes. If tasks may fail less often than there are sizes, the first
 * sizes do not count either.
 *
 * @param record what was done for executors of its profile before
 */
export function decideGrowth(
  ended: EndedPod,
  record: ProfileRecord | undefined,
  { wish, profile, asked, limits }: GrowthFacts,
): MemoryDecision {
  const before = withoutOneStep(ended, record ?? unchanged(ended.size));
  const { first, raises, counted } = before;
  const limit = strictest([ownLimit(wish, asked ?? first.total), ...limits]);
  const room = { most: limit.most, leastSlots: wish.taskCpus };
  const next = nextSize(ended.cause, ended.size, before, room);
  const changed = (size: ExecutorSize, words: string): Pick<MemoryDecision, "record" | "words" | "isCounted"> => {
    const isCounted = raises > MOST_RAISES - wish.attempts;
    const after = { first, now: size, raises: raises + 1, counted: counted + Number(isCounted) };
    return { record: { ...after, words, isExhausted: false }, words, isCounted };
  };
  switch (next.kind) {
    case "known": {
      const isCounted = counted + 1 + 1 + sizesLeft(ended.cause, before, room) <= wish.attempts;
      return {
        kind: "known",
        record: { ...before, counted: counted + Number(isCounted) },
        words: endWords(ended),
        isCounted,
      };
    }
    case "grown":
      return { kind: "grown", ...changed(next.size, grownWords(ended, next.size, { profile, beside: wish.beside })) };
    case "fewer-tasks":
      return { kind: "fewer-tasks", ...changed(next.size, fewerTasksWords(ended, next.size.slots, limit)) };
    case "none": {
      const words = exhaustedWords(ended, limit);
      const after = { ...before, counted: counted + 1, words, isExhausted: true };
      return { kind: "exhausted", record: after, words, isCounted: true };
    }
  }
}

function ownLimit({ most }: MemoryWish, first: number): MemoryLimit {
  return most === undefined ? { kind: "unset-max", most: first * UNSET_MAX } : { kind: "max", most };
}

function strictest(limits: readonly [MemoryLimit, ...MemoryLimit[]]): MemoryLimit {
  return limits.reduce((one, other) => (other.most < one.most ? other : one));
}

/** It takes minutes until an executor does little else than collect garbage, so one size less is tried. */
function withoutOneStep({ collecting }: EndedPod, record: ProfileRecord): ProfileRecord {
  return collecting === undefined ? record : { ...record, raises: Math.min(record.raises + 1, MOST_RAISES - 1) };
}
