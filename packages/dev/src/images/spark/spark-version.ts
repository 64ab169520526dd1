import { sparkVersionOf } from "@kindling/core-spec";

/** `4.3.0` for `4.3.0-scala2.13-java17-python3-ubuntu`, `3.5` for `3.5-python3`; undefined for `latest` or `python3`. */
export function versionOfTag(tag: string | undefined): string | undefined {
  return /^v?(\d+\.\d+(?:\.\d+)?)(?:[-_].*)?$/.exec(tag ?? "")?.[1];
}

/** Whether a Spark is of a wanted version: `3.5` matches any 3.5, and a vendor's suffix after the number is ignored. */
export function isVersion(actual: string, wanted: string): boolean {
  return actual === wanted || [".", "-"].some((end) => actual.startsWith(wanted + end));
}

/** The oldest Java that supports a Spark version. */
export function oldestJava(sparkVersion: string): number {
  return sparkVersionOf(sparkVersion).has("java-17") ? 17 : 8;
}

/** The oldest Python 3 that supports the pyspark of a version. */
export function oldestPython(sparkVersion: string): number {
  const version = sparkVersionOf(sparkVersion);
  return version.has("python-3.10") ? 10 : version.has("python-3.9") ? 9 : 8;
}

/** Compares versions by their numbers, for sorting the newest first. */
export function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}
