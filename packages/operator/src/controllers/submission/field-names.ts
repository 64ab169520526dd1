import type { SparkApplication } from "@kindling/spark-application";

/** Keys that the operator sets for a field of the object, and the field. */
const FIELDS: readonly (readonly [key: string, field: "sparkVersion" | "pythonVersion"])[] = [
  ["spark.kindling.sparkVersion", "sparkVersion"],
  ["spark.kubernetes.pyspark.pythonVersion", "pythonVersion"],
];

/** Writes a notice about a key with the name of the field instead: users who wrote the object never saw that key. */
export function withFieldNames({ spec }: SparkApplication, notice: string): string {
  return FIELDS.reduce((text, [key, field]) => {
    const isOfField = spec[field] !== undefined && spec.sparkConf?.[key] === undefined;
    return isOfField ? text.replaceAll(key, () => `spec.${field}`) : text;
  }, notice);
}
