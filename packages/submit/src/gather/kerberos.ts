import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import type { Clock, Env } from "@kindling/outside";
import type { ConfigurationOutside } from "./configuration/configure.ts";
import { sparkConfDir } from "./configuration/spark-env.ts";
import { DiskReader } from "./files/disk-reader.ts";
import { fileStatus } from "./files/file-status.ts";
import { readSmallFile } from "./files/read-small-file.ts";

/**
 * What Hadoop's security setting asks for, as far as it is possible without Hadoop: the entries that it adds.
 *
 * @throws KindlingError `FILE_UNREADABLE` if a keytab does not exist
 */
export function kerberosEntries(
  entries: Readonly<Record<string, string>>,
  env: Env,
  user: string,
  { cwd, clock }: Pick<ConfigurationOutside, "cwd" | "clock">,
  notice: (message: string) => void,
): Readonly<Record<string, string>> {
  const keytab = entries["spark.kerberos.keytab"];
  if (keytab !== undefined && entries["spark.kerberos.principal"] !== undefined && !keytab.startsWith("local:")) {
    if (!new DiskReader(cwd, clock).isFile(keytab)) {
      throw new KindlingError("FILE_UNREADABLE", `spark.kerberos.keytab: keytab file ${keytab} does not exist`);
    }
  }
  if (!isHadoopSecure(env, clock)) return {};
  if (keytab === undefined && entries["spark.kubernetes.kerberos.tokenSecret.name"] === undefined) {
    notice(
      "Hadoop security is on, but no delegation tokens are fetched here; give --principal and --keytab, or a token Secret",
    );
  }
  return { "spark.hadoop.yarn.resourcemanager.principal": user };
}

function isHadoopSecure(env: Env, clock: Clock): boolean {
  // In the order of spark-submit's class path; the first core-site.xml on it counts.
  const folders = [sparkConfDir(env), env["HADOOP_CONF_DIR"], env["YARN_CONF_DIR"]];
  const files = folders.flatMap((folder) => (folder ? [join(folder, "core-site.xml")] : []));
  const file = files.find((each) => fileStatus(each)?.isFile() === true);
  if (file === undefined) return false;
  try {
    const site = readSmallFile(file, clock).toString("utf8");
    return /<name>\s*hadoop\.security\.authentication\s*<\/name>\s*<value>\s*kerberos\s*<\/value>/i.test(site);
  } catch {
    return false;
  }
}
