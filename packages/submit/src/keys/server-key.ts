import { confKey, confType, type ConfKey } from "@kindling/core-spec";

export const SUBMIT_SERVER: ConfKey<boolean> = confKey({
  key: "spark.kindling.submit.server",
  type: confType.boolean,
  default: "false",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Whether the Spark Connect server and the Spark Thrift server may run as the driver, in cluster mode. spark-submit refuses that, although both run well in a pod.",
});
