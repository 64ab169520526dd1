import { differencesSince, SPARK_RELEASES, type SparkDifference, type SparkRelease } from "./differences.ts";
import { isAtLeast } from "./version-text.ts";

/** What holds for some Spark versions only: from a named difference on, or before it. Without either it always holds. */
export interface Versioned {
  readonly from?: SparkDifference;
  readonly before?: SparkDifference;
}

/** The Spark whose behaviour is wanted. */
export interface SparkVersion {
  /** As it was given, such as `4.3.0`. */
  readonly text: string;
  /** Whether this version does what a row of the table of differences names. */
  has(difference: SparkDifference): boolean;
  /** Whether a row of a list, such as a chain of steps, holds for this version. */
  holds(row: Versioned): boolean;
}

/**
 * The Spark of a version. One that is older than all known ones, or a text that is no version, is like the oldest known
 * one; one that is newer is like the newest.
 */
export function sparkVersionOf(text: string): SparkVersion {
  const has = (difference: SparkDifference): boolean => isAtLeast(text, releaseOf(difference));
  return {
    text,
    has,
    holds: ({ from, before }) => (from === undefined || has(from)) && (before === undefined || !has(before)),
  };
}

const RELEASE_OF: ReadonlyMap<string, SparkRelease> = new Map(
  SPARK_RELEASES.flatMap((release) =>
    Object.keys(differencesSince(release)).map((difference) => [difference, release] as const),
  ),
);

/** The release that a difference came with. */
export function releaseOf(difference: SparkDifference): SparkRelease {
  const release = RELEASE_OF.get(difference);
  if (release === undefined) throw new Error(`${difference} is no difference between Spark releases`);
  return release;
}
