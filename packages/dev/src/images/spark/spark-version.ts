/** `4.3.0` of `4.3.0-scala2.13-java17-python3-ubuntu`, `3.5` of `3.5-python3`; undefined of `latest` or `python3`. */
export function versionOfTag(tag: string | undefined): string | undefined {
  return /^v?(\d+\.\d+(?:\.\d+)?)(?:[-_].*)?$/.exec(tag ?? "")?.[1];
}

/** Whether a Spark is of a wanted version; `3.5` wants any 3.5, and what a vendor puts behind the number is its own. */
export function isVersion(actual: string, wanted: string): boolean {
  return actual === wanted || [".", "-"].some((end) => actual.startsWith(wanted + end));
}

/** The oldest Java that a Spark runs on: 17 since 4.0 (SPARK-44112), 8 before. */
export function oldestJava(sparkVersion: string): number {
  return Number.parseInt(sparkVersion, 10) >= 4 ? 17 : 8;
}

/** The oldest Python 3 that a Spark's pyspark runs on, by the `python_requires` of its releases. */
export function oldestPython(sparkVersion: string): number {
  const [major = 0, minor = 0] = sparkVersion.split(".").map((part) => Number.parseInt(part, 10));
  if (major < 4) return 8;
  return minor === 0 ? 9 : 10;
}

/** Compares versions by their numbers, for sorting the newest first. */
export function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}
