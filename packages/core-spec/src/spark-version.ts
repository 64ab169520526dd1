/** The newest Spark version whose chain of steps is known. */
export const NEWEST_SPARK_VERSION: string = "4.3.0";

/** A Spark version by its parts: `4.3.0`, `3.5.9`, `4.1.0-preview2` (whose suffix plays no role here). */
export interface SparkVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Reads `4.3.0`, `4.3` or `4.3.0-anything`; `undefined` if the text is no version. */
export function parseSparkVersion(text: string): SparkVersion | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?:[-+.].*)?$/.exec(text.trim());
  if (match === null) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3] ?? "0") };
}

/**
 * Whether `version` is `since` or newer.
 *
 * @param version a Spark version, such as `4.3.0`
 * @param since as much of a version as matters, such as `4.1`
 */
export function isAtLeast(version: string, since: string): boolean {
  const left = parseSparkVersion(version);
  const right = parseSparkVersion(since);
  if (left === undefined || right === undefined) return false;
  return left.major - right.major || left.minor - right.minor || left.patch - right.patch
    ? (left.major - right.major || left.minor - right.minor || left.patch - right.patch) > 0
    : true;
}

/** A span of Spark versions: from `since` (inclusive) up to `until` (exclusive); an open end is left out. */
export interface VersionSpan {
  readonly since?: string;
  readonly until?: string;
}

/** Whether a Spark version lies in a span. */
export function isWithin(version: string, span: VersionSpan): boolean {
  return (
    (span.since === undefined || isAtLeast(version, span.since)) &&
    (span.until === undefined || !isAtLeast(version, span.until))
  );
}
