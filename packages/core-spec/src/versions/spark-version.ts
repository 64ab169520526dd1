import { differencesSince, SPARK_RELEASES, type SparkDifference, type SparkRelease } from "./differences.ts";
import { isAtLeast } from "./version-text.ts";

/**
 * Something that holds only for some Spark versions: from a named difference on, or before it. Without either it always
 * holds.
 */
export interface Versioned {
  readonly from?: SparkDifference;
  readonly before?: SparkDifference;
}

/** The Spark version to follow. */
export interface SparkVersion {
  /** The text as it was given, such as `4.3.0`. */
  readonly text: string;
  /** Whether this version has a difference of the table. */
  has(difference: SparkDifference): boolean;
  /** Whether a row of a list, such as a chain of steps, holds for this version. */
  holds(row: Versioned): boolean;
}

/**
 * The Spark of a version. A version older than all known ones, or a text that is no version, is treated like the oldest known
 * one; a newer one is treated like the newest.
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
