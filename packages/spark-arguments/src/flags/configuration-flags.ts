import { conf, FIELD, inSection, SWITCH, type Flag } from "./flag.ts";

/** Where configuration comes from, and who the driver is. */
export const CONFIGURATION_FLAGS: readonly Flag[] = inSection("configuration", [
  {
    name: "--conf",
    short: "-c",
    value: "KEY=VALUE",
    effect: FIELD,
    help: "any Spark configuration key; see `kindling config`",
  },
  {
    name: "--properties-file",
    value: "FILE",
    effect: FIELD,
    help: "a file of keys, instead of conf/spark-defaults.conf",
  },
  {
    name: "--extra-properties-file",
    value: "FILE",
    effect: FIELD,
    from: "extra-properties-files",
    help: "a file of keys that wins over --properties-file; of several, the last wins",
  },
  {
    name: "--load-spark-defaults",
    effect: SWITCH,
    from: "load-spark-defaults",
    help: "read conf/spark-defaults.conf too, behind --properties-file",
  },
  {
    name: "--proxy-user",
    value: "USER",
    effect: FIELD,
    help: "the user that the driver stands in for; not with --principal",
  },
  {
    name: "--principal",
    value: "PRINCIPAL",
    effect: conf("spark.kerberos.principal"),
    help: "the Kerberos principal of the driver",
  },
  {
    name: "--keytab",
    value: "FILE",
    effect: conf("spark.kerberos.keytab"),
    help: "the keytab of that principal",
  },
]);
