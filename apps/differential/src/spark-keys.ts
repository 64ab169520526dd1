import { SPARK_KEYS } from "@kindling/steps/spark-keys";

/** All keys that any release of Spark has. */
export function sparkKeys(): readonly string[] {
  return SPARK_KEYS;
}
