import { KindlingError } from "@kindling/core-spec";
import { DiskReader } from "../files/disk-reader.ts";
import type { ConfigurationOutside } from "../configuration/configure.ts";

/** @throws KindlingError `FILE_UNREADABLE` if a keytab of this machine does not exist */
export function checkKeytab(
  entries: Readonly<Record<string, string>>,
  { cwd, clock }: Pick<ConfigurationOutside, "cwd" | "clock">,
): void {
  const keytab = entries["spark.kerberos.keytab"];
  if (keytab === undefined || entries["spark.kerberos.principal"] === undefined || keytab.startsWith("local:")) return;
  if (!new DiskReader(cwd, clock).isFile(keytab)) {
    throw new KindlingError("FILE_UNREADABLE", `spark.kerberos.keytab: keytab file ${keytab} does not exist`);
  }
}
