import { KindlingError } from "@kindling/core-spec";

/** Maven's coordinates of one artifact. */
export interface Coordinates {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
}

export interface Exclusion {
  readonly group: string;
  readonly artifact: string;
}

const PART = /^[A-Za-z0-9_.*-]+$/;

/**
 * Reads coordinates as spark-submit takes them: `group:artifact:version`, or with a slash instead of the first colon
 * (MavenUtils.extractMavenCoordinates, Spark 3.5.6).
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function parseCoordinates(text: string): Coordinates {
  const [group, artifact, version, ...rest] = text.replace("/", ":").split(":");
  if (!isPart(group) || !isPart(artifact) || !isPart(version) || rest.length > 0) {
    throw new KindlingError("ARGUMENT_INVALID", `--packages ${text}: must be in the form group:artifact:version`);
  }
  return { group, artifact, version };
}

/** Reads `group:artifact`, either of which may be `*`. */
export function parseExclusion(text: string): Exclusion {
  const [group, artifact, ...rest] = text.split(":");
  if (!isPart(group) || !isPart(artifact) || rest.length > 0) {
    throw new KindlingError("ARGUMENT_INVALID", `--exclude-packages ${text}: must be in the form group:artifact`);
  }
  return { group, artifact };
}

function isPart(text: string | undefined): text is string {
  return text !== undefined && PART.test(text);
}

const SPARK_MODULES = ["catalyst", "core", "graphx", "kvstore", "launcher", "mllib", "mllib-local", "network-common"];
const MORE_SPARK_MODULES = ["network-shuffle", "repl", "sketch", "sql", "streaming", "tags", "unsafe"];

/** What every Spark image contains already (MavenUtils.IVY_DEFAULT_EXCLUDES), and is never downloaded. */
export const IN_EVERY_IMAGE: readonly Exclusion[] = [
  { group: "org.scala-lang", artifact: "scala-library" },
  ...[...SPARK_MODULES, ...MORE_SPARK_MODULES].flatMap((module) =>
    ["2.12", "2.13"].map((scala) => ({ group: "org.apache.spark", artifact: `spark-${module}_${scala}` })),
  ),
];
