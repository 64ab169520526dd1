import {
  differencesSince,
  SPARK_RELEASES,
  sparkVersionOf,
  type SparkDifference,
  type SparkRelease,
} from "@kindling/core-spec";

/** The text between the braces of a reference, after `env:` and the like. */
const REFERENCE = /\$\{(?:\w+:)?(spark\.[^\s}]+)\}/g;

/**
 * Default values of Spark's keys that entries refer to and nobody has set (ConfigReader.getOrDefault). They are those of the
 * Spark version that reads them.
 */
export async function referencedDefaults(
  entries: Readonly<Record<string, string>>,
  sparkVersion: string,
): Promise<Readonly<Record<string, string>>> {
  const wanted = Object.values(entries).flatMap(namesIn);
  if (wanted.length === 0) return {};
  // Loaded only here: few submissions refer to other keys.
  const { SPARK_DEFAULTS } = await import("@kindling/steps/spark-keys");
  const known = releasesUpTo(sparkVersion).map((release) => SPARK_DEFAULTS[release] ?? {});
  const defaultOf = (key: string): string | null | undefined =>
    known.findLast((changes) => Object.hasOwn(changes, key))?.[key];
  const found: Record<string, string> = {};
  // A default may itself be a reference to the key that it takes its value from.
  for (const key of wanted) {
    const text = Object.hasOwn(found, key) ? undefined : defaultOf(key);
    if (typeof text !== "string") continue;
    found[key] = text;
    wanted.push(...namesIn(text));
  }
  return found;
}

function namesIn(text: string): string[] {
  return text.includes("${") ? [...text.matchAll(REFERENCE)].flatMap(([, name]) => name ?? []) : [];
}

function releasesUpTo(sparkVersion: string): readonly string[] {
  const version = sparkVersionOf(sparkVersion);
  const isReached = (release: SparkRelease): boolean =>
    Object.keys(differencesSince(release)).some((difference) => version.has(difference as SparkDifference));
  return SPARK_RELEASES.filter((release, index) => index === 0 || isReached(release));
}
