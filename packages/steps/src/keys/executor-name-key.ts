import { confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

export const POD_NAME_PREFIX: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.podNamePrefix",
  type: confType.text,
  since: "2.3.0",
  readBy: ["driver", "executor"],
  doc: "The prefix of the names of executor pods: a DNS subdomain of at most 237 characters. If unset, the driver makes a prefix from the application's name.",
});
