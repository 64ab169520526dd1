import type { SparkApplication } from "@kindling/spark-application";

/** Keys that the operator sets for a field of the object, and the field. */
const FIELDS: readonly (readonly [key: string, field: "sparkVersion" | "pythonVersion"])[] = [
  ["spark.kindling.sparkVersion", "sparkVersion"],
  ["spark.kubernetes.pyspark.pythonVersion", "pythonVersion"],
];

/** What a submission says of a key, in the terms of whoever wrote the object: they have never seen that key. */
export function withFieldNames({ spec }: SparkApplication, notice: string): string {
  return FIELDS.reduce((text, [key, field]) => {
    const isOfField = spec[field] !== undefined && spec.sparkConf?.[key] === undefined;
    return isOfField ? text.replaceAll(key, () => `spec.${field}`) : text;
  }, notice);
}
