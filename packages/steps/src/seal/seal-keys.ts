import { confKey, confType, type ConfKey } from "@kindling/core-spec";

export const SEAL: ConfKey<boolean> = confKey({
  key: "spark.kindling.seal",
  type: confType.boolean,
  default: "false",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Whether the traffic between driver and executors is encrypted, and only pods of the application can take part in it: with TLS from Spark 4.0 on, with AES before. The submission makes a secret and a key for this application alone, and network policies.",
});

export const SEAL_UI: ConfKey<boolean> = confKey({
  key: "spark.kindling.seal.ui",
  type: confType.boolean,
  default: "false",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With spark.kindling.seal: whether Spark's web UI speaks TLS, too. It listens on the port of spark.ssl.ui.port, by default 400 above that of spark.ui.port, which leads there. Its certificate signs itself.",
});
