import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

export const KERBEROS_TOKENS: ConfKey<"required" | "optional" | "none"> = confKey({
  key: "spark.kindling.kerberos.tokens",
  type: confType.oneOf("required", "optional", "none"),
  default: "required",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With hadoop.security.authentication=kerberos, and without a keytab or a Secret of tokens: whether delegation tokens are fetched with the user's ticket. required: if that fails, nothing is submitted. optional: then it is submitted without tokens, as Spark does. none: no tokens are fetched.",
});

export const KERBEROS_EXECUTORS: ConfKey<boolean | undefined> = optionalConfKey({
  key: "spark.kindling.kerberos.executors",
  type: confType.boolean,
  since: "3.5.0",
  readBy: ["submit", "executor"],
  doc: "Whether the krb5.conf of spark.kubernetes.kerberos.krb5.path or krb5.configMapName is mounted into executors, too. Spark mounts it only into the driver. If unset: if delegation tokens were fetched.",
});

export const KERBEROS_RENEWER: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.kerberos.renewer",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Who may renew the delegation tokens that are fetched: a short name of Hadoop, such as that of the principal of kindling-gateway, which then renews them while the application runs (kerberos.principal). If unset: the ticket's user, as with spark-submit, and then nobody renews them.",
});

export const KERBEROS_FILE_SYSTEMS: ConfKey<readonly string[] | undefined> = optionalConfKey({
  key: "spark.kerberos.access.hadoopFileSystems",
  type: confType.list,
  since: "3.0.0",
  readBy: ["submit", "driver"],
  alternatives: ["spark.yarn.access.namenodes", "spark.yarn.access.hadoopFileSystems"],
  doc: "File systems of Hadoop whose delegation tokens are fetched, besides fs.defaultFS.",
});

export const KERBEROS_NOT_RENEWED: ConfKey<readonly string[] | undefined> = optionalConfKey({
  key: "spark.yarn.kerberos.renewal.excludeHadoopFileSystems",
  type: confType.list,
  since: "3.2.0",
  readBy: ["submit", "driver"],
  doc: "File systems of Hadoop whose delegation tokens nobody may renew.",
});

export const HADOOPFS_TOKENS: ConfKey<boolean> = confKey({
  key: "spark.security.credentials.hadoopfs.enabled",
  type: confType.boolean,
  default: "true",
  since: "2.3.0",
  readBy: ["submit", "driver"],
  alternatives: ["spark.yarn.security.credentials.hadoopfs.enabled", "spark.yarn.security.tokens.hadoopfs.enabled"],
  doc: "Whether delegation tokens of Hadoop's file systems are fetched at all.",
});

export const KERBEROS_KEYS: readonly ConfKey<unknown>[] = [
  KERBEROS_FILE_SYSTEMS,
  KERBEROS_NOT_RENEWED,
  HADOOPFS_TOKENS,
  KERBEROS_TOKENS,
  KERBEROS_RENEWER,
  KERBEROS_EXECUTORS,
];
