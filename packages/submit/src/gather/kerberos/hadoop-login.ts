import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { isKindlingError, KindlingError, messageOf } from "@kindling/core-spec";
import { kerberosLogin, parseHadoopXml, shortName, type KerberosLogin } from "@kindling/kerberos";
import type { Outside } from "@kindling/outside";
import type { Configuration } from "../configuration/configure.ts";
import { fileStatus } from "../files/file-status.ts";
import { readSmallFile } from "../files/read-small-file.ts";
import { hadoopUser, systemUser } from "../user.ts";
import { hadoopFile, textOf } from "./hadoop-files.ts";

/** Who the user is for a Hadoop with Kerberos. */
export interface HadoopLogin {
  /** The short name of the user that Spark acts as. */
  readonly user: string;
  /** The user that the ticket's user acts for. */
  readonly proxyUser: string | undefined;
  /** The ticket, or why there is none. */
  readonly ticket: KerberosLogin | KindlingError;
  /** The properties of Hadoop's files. */
  readonly site: ReadonlyMap<string, string>;
}

type LoginOf = Pick<Configuration, "entries" | "env" | "definitions" | "proxyUser">;

/**
 * Logs in as Hadoop does with Kerberos (UserGroupInformation.getCurrentUser, HadoopLoginModule.commit): as the proxy user, or
 * as the user of the ticket, or without one as the system's user. HADOOP_USER_NAME has no meaning then.
 *
 * @throws KindlingError `CONF_INVALID` if no rule of `hadoop.security.auth_to_local` fits the ticket's user
 */
export function hadoopLogin(configuration: LoginOf, { clock, cwd }: Pick<Outside, "clock" | "cwd">): HadoopLogin {
  const { env, definitions, proxyUser: given } = configuration;
  const site = siteProperties(configuration, clock);
  const ticket = ticketOf(configuration, { clock, cwd });
  const proxyUser = given ?? env["HADOOP_PROXY_USER"] ?? definitions["HADOOP_PROXY_USER"];
  const user =
    proxyUser !== undefined
      ? hadoopUser(configuration)
      : isKindlingError(ticket)
        ? systemUser()
        : shortName(ticket.principal, {
            rules: site.get("hadoop.security.auth_to_local") ?? "DEFAULT",
            mechanism: site.get("hadoop.security.auth_to_local.mechanism")?.trim() ?? "hadoop",
            defaultRealm: ticket.settings.defaultRealm ?? ticket.principal.realm,
          });
  return { user, proxyUser, ticket, site };
}

/** Later files win, as in Hadoop. */
function siteProperties({ env }: LoginOf, clock: Outside["clock"]): ReadonlyMap<string, string> {
  const folder = env["HADOOP_CONF_DIR"] ?? "";
  const included = (path: string): string | undefined => textOf(resolve(folder, path), clock);
  const texts = ["core-site.xml", "hdfs-site.xml"].map((name) => hadoopFile(name, env, clock) ?? "");
  return new Map(texts.flatMap((text) => [...parseHadoopXml(text, included)]));
}

function ticketOf(
  configuration: LoginOf,
  { clock, cwd }: Pick<Outside, "clock" | "cwd">,
): KerberosLogin | KindlingError {
  const readBytes = (path: string): Buffer | undefined => {
    if (fileStatus(path) === undefined) return undefined;
    try {
      return readSmallFile(path, clock);
    } catch (error) {
      throw new KindlingError("FILE_UNREADABLE", `the ticket cache ${path} cannot be read: ${messageOf(error)}`);
    }
  };
  try {
    return kerberosLogin({
      clock,
      env: configuration.env,
      user: { uid: process.getuid?.() ?? 0, name: systemUser() },
      krb5Confs: krb5Confs(configuration).map((path) => resolve(cwd, path)),
      files: { readBytes, readText: (path) => textOf(path, clock), list: namesIn },
    });
  } catch (error) {
    if (isKindlingError(error)) return error;
    throw error;
  }
}

/**
 * The files of the Kerberos configuration: what Java is told, else what Kerberos' own programs are told, else the system's.
 * The one for the pods serves if there is no other.
 */
function krb5Confs({ definitions, env, entries }: LoginOf): readonly string[] {
  const { "java.security.krb5.conf": forJava = "" } = definitions;
  if (forJava !== "") return [forJava];
  const { KRB5_CONFIG: named = "" } = env;
  if (named !== "") return named.split(":");
  const forPods = entries["spark.kubernetes.kerberos.krb5.path"];
  return fileStatus(SYSTEMS) === undefined && forPods !== undefined ? [forPods] : [SYSTEMS];
}

const SYSTEMS = "/etc/krb5.conf";

/** Sorted, as MIT reads them. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
