import { userInfo } from "node:os";
import { KindlingError } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";

/** The user that Spark runs as if none is named and this machine may not be asked: the user of Spark's own images. */
export const IMAGE_USER = "spark";

/** Where a user name may come from. */
export interface UserSources {
  readonly env: Env;
  /** The `-D` definitions of spark-submit's own JVM. */
  readonly definitions: Readonly<Record<string, string>>;
  readonly proxyUser: string | undefined;
}

/** The user that Spark runs as (Utils.getCurrentUserName): SPARK_USER, else Hadoop's user. */
export function sparkUser(env: Env, hadoops: string): string {
  return env["SPARK_USER"] ?? hadoops;
}

/**
 * The user in Hadoop's view (UserGroupInformation.getCurrentUser, HadoopLoginModule.commit): the proxy user of spark-submit,
 * the proxy user of Hadoop, the user name that Hadoop is given, or the system's user. For both variables the environment wins
 * over `-D`.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for a name that Hadoop refuses
 */
export function hadoopUser({ env, definitions, proxyUser }: UserSources): string {
  const named = (name: string): string | undefined => env[name] ?? definitions[name];
  if (proxyUser !== undefined) return shortName(proxyUser, "--proxy-user", true);
  const acted = named("HADOOP_PROXY_USER");
  if (acted !== undefined) return shortName(acted, "HADOOP_PROXY_USER", true);
  const told = named("HADOOP_USER_NAME");
  return told === undefined ? systemUser() : shortName(told, "HADOOP_USER_NAME", false);
}

/**
 * The short name of a Kerberos principal, `bob` of `bob/host@REALM` (KerberosName, with the rules for Hadoop without
 * security); any other name stays as it is.
 */
function shortName(name: string, origin: string, mustBeNamed: boolean): string {
  if (mustBeNamed && name === "") throw new KindlingError("ARGUMENT_INVALID", `${origin}: the user's name is empty`);
  const principal = /^([^/@]+)(?:\/[^/@]+)?(?:@[^/@]+)?$/.exec(name);
  if (principal === null && name.includes("@")) {
    throw new KindlingError("ARGUMENT_INVALID", `${origin}: "${name}" is neither a user nor a Kerberos principal`, {
      hint: "write user, or user/host@REALM",
    });
  }
  return principal?.[1] ?? name;
}

/** The name of the process's user. If the system has no name for it, as in many containers, the number. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.geteuid?.() ?? "unknown");
  }
}
