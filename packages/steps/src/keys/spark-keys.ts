import keys from "./spark-keys.json" with { type: "json" };

/**
 * Every configuration key that Spark 3.5 to 4.3 name in their class files, but for those of other cluster managers and of
 * Spark's own servers; made by tools/spark-keys.mjs.
 */
export const SPARK_KEYS: readonly string[] = keys;
