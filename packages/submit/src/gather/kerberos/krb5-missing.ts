import type { SparkConf } from "@kindling/core-spec";
import { KRB5_CONFIG_MAP, KRB5_PATH } from "@kindling/steps";

/**
 * A notice about pods without a krb5.conf, unless the driver's options say where another one is. Hadoop's client looks for a
 * realm as soon as its security is on, also with tokens, and ends with "Can't get Kerberos realm"
 * (HadoopKerberosName.setConfiguration).
 */
export function krb5Missing(conf: SparkConf): string | undefined {
  if (conf.has(KRB5_PATH) || conf.has(KRB5_CONFIG_MAP)) return undefined;
  const options = ["spark.driver.extraJavaOptions", "spark.driver.defaultJavaOptions"].map(
    (key) => conf.raw(key) ?? "",
  );
  if (options.some((each) => each.includes("java.security.krb5."))) return undefined;
  return (
    "Hadoop's security is on, and the driver gets no krb5.conf: unless its image or pod template has one, it ends with " +
    `"Can't get Kerberos realm". Set ${KRB5_PATH.key}=/etc/krb5.conf, or ${KRB5_CONFIG_MAP.key}`
  );
}
