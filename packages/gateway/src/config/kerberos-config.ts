import { confType } from "@kindling/core-spec";
import { type Settings, text } from "@kindling/service/settings";

/** Settings of the renewal of Hadoop's delegation tokens. */
export interface KerberosConfig {
  readonly "kerberos.keytab": string | undefined;
  readonly "kerberos.principal": string | undefined;
  readonly "kerberos.krb5Conf": string;
  readonly "kerberos.hadoopConf": string | undefined;
  readonly "kerberos.fileSystems": readonly string[];
}

export const KERBEROS_KEYS: Settings<KerberosConfig> = {
  "kerberos.keytab": {
    type: text,
    default: undefined,
    doc:
      "A keytab. If set, the gateway renews the delegation tokens of drivers whose renewer is `kerberos.principal`, from the " +
      "pod's creation until the driver has ended. It is read again at each login.",
  },
  "kerberos.principal": {
    type: text,
    default: undefined,
    doc: "The principal that the keytab is of. Submissions name its short name in `spark.kindling.kerberos.renewer`.",
  },
  "kerberos.krb5Conf": { type: text, default: "/etc/krb5.conf", doc: "The `krb5.conf` that names the KDCs." },
  "kerberos.hadoopConf": {
    type: text,
    default: undefined,
    doc:
      "A folder with Hadoop's `core-site.xml` and `hdfs-site.xml`, and `ssl-client.xml` for name nodes with TLS. It is read " +
      "at the start.",
  },
  "kerberos.fileSystems": {
    type: confType.list,
    default: "",
    doc: "File systems whose tokens are renewed, besides `fs.defaultFS`. No other name nodes are asked.",
  },
};

/** What is wrong with the settings together; undefined if nothing is wrong. */
export function kerberosFault(config: KerberosConfig): string | undefined {
  if (config["kerberos.keytab"] === undefined) return undefined;
  const missing = (["kerberos.principal", "kerberos.hadoopConf"] as const).find((key) => config[key] === undefined);
  return missing && `${missing} must be set, because kerberos.keytab is`;
}
