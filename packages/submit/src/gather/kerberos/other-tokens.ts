import type { SparkConf } from "@kindling/core-spec";
import { parseHadoopXml, type HadoopConfiguration } from "@kindling/kerberos";
import type { Clock, Env } from "@kindling/outside";
import { TOKEN_SECRET_NAME } from "@kindling/steps";
import { hadoopFile } from "./hadoop-files.ts";
import { TOKEN_FILE } from "./token-file.ts";

interface TokenSettings {
  readonly conf: SparkConf;
  readonly hadoop: HadoopConfiguration;
  readonly env: Env;
  readonly clock: Clock;
}

/**
 * Notices about tokens that Spark's client would fetch and Kindling does not: of Hive, HBase and Kafka, of key servers, and
 * of other file systems (the implementations of HadoopDelegationTokenProvider, 3.5.6).
 */
export function otherTokens(fileSystems: readonly string[], settings: TokenSettings): readonly string[] {
  const { hadoop, conf } = settings;
  const wanted = [
    ...fileSystems,
    ...(hasHive(settings) && isEnabled("hive", conf) ? ["Hive's metastore"] : []),
    ...(hasHBase(settings) && isEnabled("hbase", conf) ? ["HBase"] : []),
    ...(hasKafka(conf) && isEnabled("kafka", conf) ? ["Kafka"] : []),
    ...(hadoop.get("hadoop.security.key.provider.path") || hadoop.get("dfs.encryption.key.provider.uri")
      ? ["the key server"]
      : []),
  ];
  return wanted.map(
    (service) =>
      `delegation tokens of ${service} are not fetched here; if the application needs them, name a file with them in ` +
      `${TOKEN_FILE}, or a Secret with all tokens in ${TOKEN_SECRET_NAME.key}`,
  );
}

/** HadoopDelegationTokenManager.isServiceEnabled. */
function isEnabled(service: string, conf: SparkConf): boolean {
  const keys = ["security.credentials", "yarn.security.credentials", "yarn.security.tokens"];
  const value = keys.map((key) => conf.raw(`spark.${key}.${service}.enabled`)).find((each) => each !== undefined);
  return value?.trim().toLowerCase() !== "false";
}

function hasHive(settings: TokenSettings): boolean {
  return Boolean(propertyOf("hive.metastore.uris", "hive-site.xml", settings));
}

function hasHBase(settings: TokenSettings): boolean {
  return propertyOf("hbase.security.authentication", "hbase-site.xml", settings)?.toLowerCase() === "kerberos";
}

function hasKafka({ entries }: SparkConf): boolean {
  return Object.keys(entries).some((key) => /^spark\.kafka\.clusters\..+\.auth\.bootstrap\.servers$/.test(key));
}

function propertyOf(name: string, file: string, { hadoop, env, clock }: TokenSettings): string | undefined {
  const own = hadoop.get(name);
  return (
    own ??
    parseHadoopXml(hadoopFile(file, env, clock) ?? "", () => undefined)
      .get(name)
      ?.trim()
  );
}
