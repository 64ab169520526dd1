import { SPARK_KEYS } from "@kindling/steps/spark-keys";

/** All keys of any release of Spark. */
export function sparkKeys(): readonly string[] {
  return SPARK_KEYS;
}
