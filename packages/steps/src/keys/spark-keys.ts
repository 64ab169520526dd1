import defaults from "./spark-defaults.json" with { type: "json" };
import keys from "./spark-keys.json" with { type: "json" };

/**
 * Every configuration key that Spark 3.5 to 4.3 name in their class files, but for those of other cluster managers and of
 * Spark's own servers; made by tools/references/spark-keys.mjs.
 */
export const SPARK_KEYS: readonly string[] = keys;

/**
 * What keys of Spark's are if nobody sets them, by release: of the first all, of each later one what changed, with `null` for
 * what is gone. Made by tools/references/spark-defaults.mjs. These are the keys that a submission registers, which references go by
 * (ConfigEntry.findEntry); a driver knows more.
 */
export const SPARK_DEFAULTS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = defaults;
