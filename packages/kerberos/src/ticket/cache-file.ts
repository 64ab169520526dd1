import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import type { Krb5Settings } from "../krb5-conf/krb5-settings.ts";

/** The user's own numbers and names, for the default path and for `%{uid}` in a path. */
export interface SystemUser {
  readonly uid: number;
  readonly name: string;
}

export interface CacheFileSources {
  readonly env: Env;
  readonly settings: Krb5Settings;
  readonly user: SystemUser;
  /** The bytes of a file; `undefined` if there is none. */
  readonly readFile: (path: string) => Buffer | undefined;
}

/**
 * The file of the user's ticket cache (MIT, "Credential cache"): KRB5CCNAME, else `default_ccache_name` of krb5.conf if that
 * is a file, else /tmp/krb5cc_UID, where Java looks.
 *
 * @throws KindlingError `KERBEROS_FAILED` for a cache that is in no file
 */
export function cacheFile(sources: CacheFileSources): string {
  const { env, settings, user } = sources;
  const usual = `/tmp/krb5cc_${user.uid}`;
  const { KRB5CCNAME: named = "" } = env;
  if (named !== "") return fileOf(named, "KRB5CCNAME", sources);
  const configured = settings.defaultCacheName;
  if (configured === undefined) return usual;
  // Java knows only its usual file, so users of spark-submit may have put a ticket there in addition.
  if (sources.readFile(usual) !== undefined && !isFile(configured)) return usual;
  return fileOf(expanded(configured, user), "default_ccache_name in krb5.conf", sources);
}

function isFile(name: string): boolean {
  return /^(?:FILE:|DIR:|WRFILE:|\/|%\{TEMP\})/i.test(name);
}

function fileOf(name: string, origin: string, { user, readFile }: CacheFileSources): string {
  const [, kind = "FILE", residual = name] = /^([A-Za-z0-9_]+):(.*)$/s.exec(name) ?? [];
  switch (kind.toUpperCase()) {
    case "FILE":
    case "WRFILE":
      return residual;
    case "DIR":
      // A cache of a collection is named with a second colon.
      if (residual.startsWith(":")) return residual.slice(1);
      return join(residual, readFile(join(residual, "primary"))?.toString("utf8").trim() || "tkt");
    default:
      throw new KindlingError("KERBEROS_FAILED", `${origin}: a ticket cache of the kind ${kind} cannot be read`, {
        hint: `put a ticket into a file: kinit -c FILE:/tmp/krb5cc_${user.uid}, and set KRB5CCNAME to the same`,
      });
  }
}

/** The parameters that krb5.conf may have in paths (MIT, krb5.conf, "Parameter expansion"). */
function expanded(name: string, { uid, name: userName }: SystemUser): string {
  const values: Readonly<Record<string, string>> = {
    uid: String(uid),
    euid: String(uid),
    USERID: String(uid),
    username: userName,
    TEMP: "/tmp",
    null: "",
  };
  return name.replaceAll(/%\{(\w+)\}/g, (whole, parameter: string) => values[parameter] ?? whole);
}
