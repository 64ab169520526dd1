import { isConfPrefix, type ConfKey, type ConfPrefix, type Step } from "@kindling/core-spec";
import { allKeys } from "@kindling/steps";
import { SUBMISSION_KEYS } from "../../keys/submission-keys.ts";
import { likelyKey, OWN } from "./likely-key.ts";

/**
 * Each unknown key is compared with all of Spark's keys, which takes up to a millisecond. A service submits for others
 * meanwhile.
 */
const MOST_EXAMINED = 100;
/** After this many keys, other work has a turn. */
const AT_ONCE = 10;
/**
 * No step declares these keys. Every submission has the first three, so the list of all of Spark's keys is not loaded for
 * them.
 */
const OF_COMMANDS = [
  "spark.app.name",
  "spark.master",
  "spark.submit.deployMode",
  "spark.driver.extraClassPath",
  "spark.driver.extraJavaOptions",
  "spark.driver.extraLibraryPath",
  "spark.kindling.submit.exitCode",
];

/**
 * Notices about unknown keys: all unknown ones below `spark.kubernetes.` and `spark.kindling.`, and others that differ from
 * one of Spark's keys by a typing mistake. Keys of the user's own are left alone.
 *
 * @param steps contributed ones; their keys are known too
 */
export async function unknownKeys(
  entries: Readonly<Record<string, string>>,
  steps: readonly Step[],
): Promise<readonly string[]> {
  const declared = [...allKeys(), ...SUBMISSION_KEYS, ...steps.flatMap(({ keys }) => keys ?? [])];
  const families = declared.filter(isConfPrefix);
  const own = new Set([...declared.flatMap(namesOf), ...OF_COMMANDS]);
  const suspect = Object.keys(entries).filter(
    (key) => !own.has(key) && !families.some(({ prefix }) => key.startsWith(prefix)),
  );
  if (suspect.length === 0) return [];
  // Loaded only here: most submissions use only declared keys.
  const { SPARK_KEYS } = await import("@kindling/steps/spark-keys");
  const known = new Set([...own, ...SPARK_KEYS]);
  const unknown = suspect.filter((key) => !known.has(key));
  const unexamined = unknown.length - MOST_EXAMINED;
  const remarks: string[] = [];
  for (const [index, key] of unknown.slice(0, MOST_EXAMINED).entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    remarks.push(...remark(key, known, families));
  }
  return [
    ...remarks,
    ...(unexamined > 0 ? [`${unexamined} more keys that are not Spark's were not compared with those that are`] : []),
  ];
}

/** What an unknown key probably means, as the end of a sentence; `undefined` if that is not clear. */
export async function meantByKey(key: string): Promise<string | undefined> {
  const declared = [...allKeys(), ...SUBMISSION_KEYS];
  const { SPARK_KEYS } = await import("@kindling/steps/spark-keys");
  const known = new Set([...declared.flatMap(namesOf), ...SPARK_KEYS]);
  return known.has(key) ? undefined : likelyKey(key, known, declared.filter(isConfPrefix));
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function namesOf(key: ConfKey<unknown> | ConfPrefix): readonly string[] {
  return isConfPrefix(key) ? [] : [key.key, ...(key.alternatives ?? [])];
}

function remark(key: string, known: ReadonlySet<string>, families: readonly ConfPrefix[]): string[] {
  if (key.trim() !== key) return [`"${key}": the blanks are part of the key, which nobody reads: write key=value`];
  const likely = likelyKey(key, known, families);
  if (likely !== undefined) return [`${key}: nobody reads such a key; ${likely}`];
  return OWN.test(key) ? [`${key}: nobody reads such a key; kindling config lists those that are known`] : [];
}
