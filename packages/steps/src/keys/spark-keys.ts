import defaults from "./spark-defaults.json" with { type: "json" };
import keys from "./spark-keys.json" with { type: "json" };

/**
 * Every configuration key in the class files of Spark 3.5 to 4.3, except those of other cluster managers and of Spark's own
 * servers; made by tools/references/spark-keys.mjs.
 */
export const SPARK_KEYS: readonly string[] = keys;

/**
 * The defaults of Spark's keys, by release: all of the first release, and for each later release the changes, with `null` for
 * removed keys. Made by tools/references/spark-defaults.mjs. These are the keys that a submission registers, and references use them
 * (ConfigEntry.findEntry); a driver knows more keys.
 */
export const SPARK_DEFAULTS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = defaults;
