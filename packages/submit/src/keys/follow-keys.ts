import { confKey, confType, type ConfKey } from "@kindling/core-spec";

export const WAIT_APP_COMPLETION: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.submission.waitAppCompletion",
  type: confType.boolean,
  default: "true",
  since: "2.3.0",
  readBy: ["submit"],
  doc: "Whether the submission waits until the application has ended.",
});

export const REPORT_INTERVAL: ConfKey<number> = confKey({
  key: "spark.kubernetes.report.interval",
  type: confType.checked(confType.time("ms"), (milliseconds) => milliseconds > 0, "a positive duration"),
  default: "1s",
  since: "2.3.0",
  readBy: ["submit"],
  doc: "How often to ask for the driver pod if watching it is not allowed.",
});
