import { confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

export const SPARK_VERSION: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.sparkVersion",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Which Spark's behaviour is wanted. If unset: KINDLING_SPARK_VERSION, else the tag of the image, else the newest that is known.",
});
