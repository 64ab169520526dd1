import { confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

export const SPARK_VERSION: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.sparkVersion",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The Spark version whose behaviour is used. If unset: KINDLING_SPARK_VERSION, else the tag of the image, else the newest known version.",
});
