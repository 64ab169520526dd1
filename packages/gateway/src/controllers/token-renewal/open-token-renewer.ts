import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { KindlingError, messageOf } from "@kindling/core-spec";
import {
  hadoopConfiguration,
  keytabLogin,
  needsTrust,
  openTokenMeans,
  parseHadoopXml,
  parsePrincipal,
  readKrb5Settings,
  shortName,
  tokenFileSystems,
  tokenRenewer,
  trustedAuthorities,
  type HadoopConfiguration,
  type KerberosLogin,
  type Krb5Settings,
  type TokenFileSystem,
  type TokenRenewer,
} from "@kindling/kerberos";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { KerberosConfig } from "../../config/kerberos-config.ts";

export interface OpenTokenRenewer extends TokenRenewer {
  readonly close: () => void;
}

interface OpenOptions extends Pick<Outside, "clock" | "random"> {
  readonly log: Log;
}

/**
 * Reads what renewing tokens needs. The first login goes on in the background, and the log says how it ended: a KDC that is
 * away must not keep the gateway from its other work.
 *
 * @throws KindlingError if the files cannot be used
 */
export function openTokenRenewer(config: KerberosConfig, { clock, random, log }: OpenOptions): OpenTokenRenewer {
  const folder = config["kerberos.hadoopConf"] ?? "";
  const path = config["kerberos.keytab"] ?? "";
  const principal = config["kerberos.principal"] ?? "";
  const hadoopFile = (name: string): string | undefined => textOf(resolve(folder, name));
  const conf = siteIn(folder, hadoopFile);
  const settings = readKrb5Settings([config["kerberos.krb5Conf"]], { readText: textOf, list: namesIn });
  const name = nameOf(principal, conf, settings);
  const fileSystems = wantedFileSystems(config, conf);
  const authorities = needsTrust(fileSystems)
    ? trustedAuthorities(conf, { hadoopFile, readBytes: (file) => readFileSync(resolve(folder, file)) })
    : undefined;
  const { means, close } = openTokenMeans({ clock, random, authorities });
  const logIn = async (): Promise<KerberosLogin> =>
    keytabLogin({ keytab: keytabAt(path), path, principal, settings }, means);
  logIn().then(
    () =>
      log.info("the gateway renews delegation tokens", {
        renewer: name,
        fileSystems: fileSystems.map(nameIn).join(", "),
      }),
    (error: unknown) => log.warn("the gateway cannot log in to renew delegation tokens", { error: messageOf(error) }),
  );
  return { ...tokenRenewer({ name, logIn, conf, fileSystems, means }), close };
}

function nameIn({ name }: TokenFileSystem): string {
  return name;
}

/** Later files win, as in Hadoop. */
function siteIn(folder: string, hadoopFile: (name: string) => string | undefined): HadoopConfiguration {
  const texts = ["core-site.xml", "hdfs-site.xml"].map((name) => hadoopFile(name));
  if (texts[0] === undefined) {
    throw new KindlingError("FILE_UNREADABLE", `kerberos.hadoopConf: ${join(folder, "core-site.xml")} cannot be read`);
  }
  return hadoopConfiguration(new Map(texts.flatMap((text) => [...parseHadoopXml(text ?? "", hadoopFile)])));
}

function nameOf(principal: string, conf: HadoopConfiguration, { defaultRealm }: Krb5Settings): string {
  const parsed = parsePrincipal(principal, defaultRealm);
  if (parsed === undefined) {
    throw new KindlingError("CONF_INVALID", `kerberos.principal: ${principal} is no principal with a realm`, {
      hint: "write it as name@REALM, or set default_realm in krb5.conf",
    });
  }
  return shortName(parsed, {
    rules: conf.get("hadoop.security.auth_to_local") ?? "DEFAULT",
    mechanism: conf.get("hadoop.security.auth_to_local.mechanism") ?? "hadoop",
    defaultRealm: defaultRealm ?? parsed.realm,
  });
}

function wantedFileSystems(config: KerberosConfig, conf: HadoopConfiguration): readonly TokenFileSystem[] {
  const origin = "kerberos.fileSystems";
  const { fileSystems } = tokenFileSystems({ conf, fileSystems: config[origin], origin });
  if (fileSystems.length > 0) return fileSystems;
  throw new KindlingError("CONF_INVALID", `neither fs.defaultFS nor ${origin} names an HDFS`, {
    hint: `set fs.defaultFS in core-site.xml, or ${origin}=hdfs://host:8020`,
  });
}

/** @throws KindlingError `FILE_UNREADABLE` */
function keytabAt(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `kerberos.keytab: ${messageOf(error)}`, { cause: error });
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
