import { SPARK_RELEASES } from "./differences.ts";
import { isAtLeast, parseSparkVersion } from "./version-text.ts";

/** The oldest known release, such as `3.5`. */
export const OLDEST_SPARK_RELEASE: string = SPARK_RELEASES[0] ?? "";
/** The newest known release, such as `4.3`. */
export const NEWEST_SPARK_RELEASE: string = SPARK_RELEASES.at(-1) ?? "";
/** The version that is assumed if nothing names one. */
export const ASSUMED_SPARK_VERSION: string = `${NEWEST_SPARK_RELEASE}.0`;

/** Whether a version is older than all known ones, and is therefore treated like the oldest of them. */
export function isOlderThanKnown(version: string): boolean {
  return !isAtLeast(version, OLDEST_SPARK_RELEASE);
}

/** Whether a version belongs to a release after all known ones, and is therefore treated like the newest of them. */
export function isNewerThanKnown(version: string): boolean {
  const newest = parseSparkVersion(NEWEST_SPARK_RELEASE);
  return newest !== undefined && isAtLeast(version, `${newest.major}.${newest.minor + 1}`);
}

/** The newest known version of a line of releases such as `3.5`; `undefined` for an unknown line. */
export function newestOfLine(line: string): string | undefined {
  const newest = SPARK_RELEASES.findLast((release) => release === line || release.startsWith(`${line}.`));
  return newest === line ? `${line}.0` : newest;
}

/**
 * Whether a version may be one of Spark's: images of applications have versions of their own. Spark's are those since it runs
 * on Kubernetes, up to the next major version.
 */
export function mayBeSparks(version: string): boolean {
  const newest = parseSparkVersion(NEWEST_SPARK_RELEASE);
  return isAtLeast(version, "2.3") && !isAtLeast(version, `${(newest?.major ?? 0) + 2}.0`);
}
