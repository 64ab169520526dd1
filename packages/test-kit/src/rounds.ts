import { createHash } from "node:crypto";
import { Random } from "./random.ts";

/** Whether tests run all of their rounds: `KINDLING_ROUNDS=all`. */
export const ALL_ROUNDS: boolean = process.env["KINDLING_ROUNDS"] === "all";

/** Vitest's configuration chooses it for each run, and prints it. */
const SEED = process.env["KINDLING_ROUNDS_SEED"] ?? "0";

/** One of ten rounds. */
const PART = 0.1;

/**
 * The rounds that a test runs this time, out of many that differ only by a number or a moment: a tenth of them and at least
 * one, or all with {@link ALL_ROUNDS}. Each run selects others; with the same `KINDLING_ROUNDS_SEED` it selects the same.
 *
 * @param what the subject of the rounds; rounds of another subject are selected independently
 * @returns some of the rounds, in their order
 */
export function someRounds<T>(what: string, rounds: readonly T[], part: number = PART): T[] {
  if (ALL_ROUNDS) return [...rounds];
  const random = new Random(createHash("sha256").update(`${SEED} ${what}`).digest().readUInt32LE());
  const left = [...rounds.keys()];
  const drawn = Array.from({ length: Math.ceil(rounds.length * part) }, () =>
    left.splice(random.below(left.length), 1),
  );
  const taken = new Set(drawn.flat());
  return rounds.filter((_, index) => taken.has(index));
}
