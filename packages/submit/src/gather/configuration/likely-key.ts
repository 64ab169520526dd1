import { closest, type ConfPrefix } from "@kindling/core-spec";
import { habitOf } from "../../keys/key-habits.ts";

/** Keys with this prefix belong to Spark or Kindling, so an unknown one is a mistake. */
export const OWN: RegExp = /^spark\.(?:kubernetes|kindling)\./;

/**
 * The key that a user probably meant by an unknown key, as the end of a sentence; `undefined` if that is not clear. A wrong
 * guess does harm: a user who follows it sets a label or a variable instead of the wanted setting. So there are only three
 * kinds of guesses: a known habit, the same words written or placed differently, and a typing mistake of a few letters within
 * one word.
 */
export function likelyKey(
  key: string,
  known: ReadonlySet<string>,
  families: readonly ConfPrefix[],
): string | undefined {
  const same = sameKeyElsewhere(key, known);
  if (same !== undefined) return didYouMean(same);
  const habit = habitOf(key);
  if (habit !== undefined) return "key" in habit ? didYouMean(habit.key) : habit.advice;
  const similar = sameWords(key, known) ?? memberOf(key, families) ?? slipOf(key, known);
  return similar === undefined ? undefined : didYouMean(similar);
}

function didYouMean(key: string): string {
  return `did you mean ${key}?`;
}

/** `spark.kubernetes.driver.memory` for `spark.driver.memory`, and `spark.driver.limit.cores` the other way round. */
function sameKeyElsewhere(key: string, known: ReadonlySet<string>): string | undefined {
  const other = withOrWithoutKubernetes(key);
  return known.has(other) ? other : undefined;
}

function withOrWithoutKubernetes(key: string): string {
  return key.startsWith("spark.kubernetes.")
    ? key.replace("spark.kubernetes.", "spark.")
    : key.replace(/^spark\./, "spark.kubernetes.");
}

/** `spark.executor.memory.overhead` and `spark.driver.memoryoverhead`. */
function sameWords(key: string, known: ReadonlySet<string>): string | undefined {
  const wanted = new Set([plain(key), plain(withOrWithoutKubernetes(key))]);
  for (const candidate of known) if (wanted.has(plain(candidate))) return candidate;
  return undefined;
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[._-]/g, "");
}

/** The member of a family with a typing mistake in one word of the family's name: `labels.x` for `label.x`. */
function memberOf(key: string, families: readonly ConfPrefix[]): string | undefined {
  const words = key.split(".");
  for (const { prefix } of families) {
    const own = prefix.split(".").slice(0, -1);
    if (words.length > own.length && isSlip(words.slice(0, own.length), own)) {
      return prefix + words.slice(own.length).join(".");
    }
  }
  return undefined;
}

/** The nearest key that has as many words and differs in one of them by a few letters. */
function slipOf(key: string, known: ReadonlySet<string>): string | undefined {
  const words = key.split(".");
  const candidates = [...known].filter((candidate) => isSlip(words, candidate.split(".")));
  // A short key of the user's own is similar to many others.
  return closest(key, candidates, OWN.test(key) ? 3 : Math.min(2, Math.floor((key.length - "spark.".length) / 6)));
}

function isSlip(words: readonly string[], meant: readonly string[]): boolean {
  if (words.length !== meant.length) return false;
  const wrong = words.flatMap((word, index) => (word === meant[index] ? [] : [index]));
  const [index = -1] = wrong;
  const [word = "", right = ""] = [words[index], meant[index]];
  return wrong.length === 1 && closest(word, [right], Math.max(1, Math.floor(right.length / 4))) !== undefined;
}
