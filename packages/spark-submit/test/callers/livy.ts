/** What Livy reads from `spark-submit --version` at its start. */
export interface LivyVersions {
  readonly spark: readonly [major: number, minor: number];
  readonly scala: string | undefined;
}

/**
 * Reads both streams as Livy does (master of 2026-05, `LivySparkUtils.sparkSubmitVersion`, `formatSparkVersion` and
 * `formatScalaVersion`); throws if Livy would not start.
 */
export function livyReads(output: string): LivyVersions {
  const version = /version (.*)/.exec(output)?.[1];
  if (version === undefined) throw new Error(`Unable to determine spark-submit version:\n${output}`);
  const [, major, minor] = /^(\d+)\.(\d+)(\..*)?$/.exec(version) ?? [];
  if (major === undefined || minor === undefined) throw new Error(`Fail to parse Spark version from ${version}`);
  const scala = /Scala version (.*), Java/.exec(output)?.[1];
  if (scala === undefined || scala === "") return { spark: [Number(major), Number(minor)], scala: undefined };
  const [, scalaMajor, scalaMinor] = /^(\d)+\.(\d+)+.*$/.exec(scala) ?? [];
  if (scalaMajor === undefined) throw new Error(`Unrecognized Scala version: ${scala}`);
  return { spark: [Number(major), Number(minor)], scala: `${scalaMajor}.${scalaMinor ?? ""}` };
}
