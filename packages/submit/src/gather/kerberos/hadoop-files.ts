import { join } from "node:path";
import type { Clock, Env } from "@kindling/outside";
import { sparkConfDir } from "../configuration/spark-env.ts";
import { fileStatus } from "../files/file-status.ts";
import { readSmallFile } from "../files/read-small-file.ts";

/**
 * The text of one of Hadoop's files, such as core-site.xml; `undefined` if there is none, or if it cannot be read. The first
 * one on spark-submit's class path counts.
 */
export function hadoopFile(name: string, env: Env, clock: Clock): string | undefined {
  const folders = [sparkConfDir(env), env["HADOOP_CONF_DIR"], env["YARN_CONF_DIR"]];
  const files = folders.flatMap((folder) => (folder ? [join(folder, name)] : []));
  const file = files.find((each) => fileStatus(each)?.isFile() === true);
  return file === undefined ? undefined : textOf(file, clock);
}

/** The text of a small file; `undefined` if it cannot be read. */
export function textOf(path: string, clock: Clock): string | undefined {
  try {
    return readSmallFile(path, clock).toString("utf8");
  } catch {
    return undefined;
  }
}

const KERBEROS = /<name>\s*hadoop\.security\.authentication\s*<\/name>.{0,1000}?<value>\s*kerberos\s*<\/value>/is;

/** Whether Hadoop's security is on (UserGroupInformation.isSecurityEnabled), without a reader of all of Hadoop's files. */
export function isHadoopSecure(env: Env, clock: Clock): boolean {
  const site = hadoopFile("core-site.xml", env, clock)?.replaceAll(/<!--.*?-->/gs, "") ?? "";
  return site.split("</property>").some((property) => KERBEROS.test(property));
}
