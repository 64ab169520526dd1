import { confPrefix, confType, optionalConfKey, type ConfKey, type ConfPrefix } from "@kindling/core-spec";

export const POLICY: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.labels.policy",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A file, YAML or JSON, that says which labels applications must have, and which values are allowed.",
});

export const LABEL: ConfPrefix = confPrefix({
  prefix: "spark.kindling.label.",
  placeholder: "<label>",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A label of the driver and of every executor.",
});

/** Spark's own key for the labels of a driver's executors. */
export const EXECUTOR_LABEL = "spark.kubernetes.executor.label.";
