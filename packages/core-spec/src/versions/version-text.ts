/** A Spark version by its parts: `4.3.0`, `3.5.9`, `4.1.0-preview2` (the suffix is ignored here). */
export interface VersionParts {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Reads `4.3.0`, `4.3` or `4.3.0-anything`; `undefined` if the text is no version. */
export function parseSparkVersion(text: string): VersionParts | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?:[-+.].*)?$/.exec(text.trim());
  if (match === null) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3] ?? "0") };
}

/**
 * Whether `version` is `since` or newer. A text that is no version counts as older than all.
 *
 * @param version a Spark version, such as `4.3.0`
 * @param since the relevant part of a version, such as `4.1`
 */
export function isAtLeast(version: string, since: string): boolean {
  const left = parseSparkVersion(version);
  const right = parseSparkVersion(since);
  if (left === undefined || right === undefined) return false;
  return (left.major - right.major || left.minor - right.minor || left.patch - right.patch) >= 0;
}
