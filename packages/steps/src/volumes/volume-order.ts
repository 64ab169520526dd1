import type { ConfPrefix, SparkConf, SparkVersion } from "@kindling/core-spec";

/**
 * The types and names of all volumes under a prefix, in Spark's order, which decides the `<i>` of the claims
 * `…-pvc-<i>`. Spark collects them from the keys of a Scala map: up to four keys stay as they come, more are listed by
 * the hashes of their names (scala.collection.immutable.HashMap, 2.12 for Spark 3.5 and 2.13 from 4.0 on). More than
 * four volumes Spark orders once more, by the hashes of all their options together; that is not followed here.
 */
export function volumeOrder(conf: SparkConf, prefix: ConfPrefix): [type: string, name: string][] {
  const volumes = new Map<string, [string, string]>();
  for (const key of scalaMapOrder(Object.keys(conf.withPrefix(prefix)), conf.version)) {
    const [type, name] = key.split(".");
    if (type !== undefined && name !== undefined && !volumes.has(`${type}.${name}`)) {
      volumes.set(`${type}.${name}`, [type, name]);
    }
  }
  return [...volumes.values()];
}

function scalaMapOrder(keys: readonly string[], version: SparkVersion): string[] {
  if (keys.length <= 4) return [...keys];
  const hashed = keys.map((key) => ({ key, hash: improve(javaHash(key)) }));
  return trieOrder(hashed, 0, version.has("scala-2.13-maps"));
}

interface Hashed {
  readonly key: string;
  readonly hash: number;
}

/**
 * Walks a hash trie, whose branches are five bits of the hash at a time, from the lowest. Scala 2.13 lists the keys
 * that stand alone in a node before those in its branches; 2.12 lists both as they come.
 */
function trieOrder(entries: readonly Hashed[], shift: number, keysFirst: boolean): string[] {
  if (entries.length <= 1 || shift > 30) return entries.map(({ key }) => key);
  const slots: Hashed[][] = Array.from({ length: 32 }, () => []);
  for (const entry of entries) slots[(entry.hash >>> shift) & 31]?.push(entry);
  const alone = (slot: readonly Hashed[]): boolean => slot.length === 1;
  const ordered = keysFirst ? [...slots.filter(alone), ...slots.filter((slot) => !alone(slot))] : slots;
  return ordered.flatMap((slot) => trieOrder(slot, shift + 5, keysFirst));
}

/** `String.hashCode` of Java. */
function javaHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
}

/** scala.collection.Hashing.improve. */
function improve(hash: number): number {
  let improved = (hash + ~(hash << 9)) | 0;
  improved ^= improved >>> 14;
  improved = (improved + (improved << 4)) | 0;
  return improved ^ (improved >>> 10);
}
