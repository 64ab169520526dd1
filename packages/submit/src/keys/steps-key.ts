import { confKey, confType, type ConfKey } from "@kindling/core-spec";

export const STEPS: ConfKey<readonly string[]> = confKey({
  key: "spark.kindling.steps",
  type: confType.list,
  default: "",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Submission steps besides Spark's own: npm packages or paths of modules that export one step, or a list of them. --steps replaces it.",
});
