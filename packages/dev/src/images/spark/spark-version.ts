import { sparkVersionOf } from "@kindling/core-spec";

/** `4.3.0` of `4.3.0-scala2.13-java17-python3-ubuntu`, `3.5` of `3.5-python3`; undefined of `latest` or `python3`. */
export function versionOfTag(tag: string | undefined): string | undefined {
  return /^v?(\d+\.\d+(?:\.\d+)?)(?:[-_].*)?$/.exec(tag ?? "")?.[1];
}

/** Whether a Spark is of a wanted version; `3.5` wants any 3.5, and what a vendor puts behind the number is its own. */
export function isVersion(actual: string, wanted: string): boolean {
  return actual === wanted || [".", "-"].some((end) => actual.startsWith(wanted + end));
}

/** The oldest Java that a Spark runs on. */
export function oldestJava(sparkVersion: string): number {
  return sparkVersionOf(sparkVersion).has("java-17") ? 17 : 8;
}

/** The oldest Python 3 that a Spark's pyspark runs on. */
export function oldestPython(sparkVersion: string): number {
  const version = sparkVersionOf(sparkVersion);
  return version.has("python-3.10") ? 10 : version.has("python-3.9") ? 9 : 8;
}

/** Compares versions by their numbers, for sorting the newest first. */
export function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}
