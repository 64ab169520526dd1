import { parseKrb5Conf, type Krb5Files, type Krb5Section } from "./parse-krb5-conf.ts";

/** A KDC by its host and port. */
export interface KdcAddress {
  readonly host: string;
  readonly port: number;
}

/** The settings of krb5.conf that a client of tickets needs. */
export interface Krb5Settings {
  readonly defaultRealm: string | undefined;
  readonly defaultCacheName: string | undefined;
  /** Whether to look for KDCs in DNS. MIT's default is yes. */
  readonly looksUpKdc: boolean;
  /** The KDCs of a realm, in their order. */
  kdcs(realm: string): readonly KdcAddress[];
  /** KDCs behind a proxy, which cannot be asked (MS-KKDCP). */
  proxies(realm: string): readonly string[];
  /** The realm of a host, if krb5.conf says it. */
  realmOf(host: string): string | undefined;
}

const KDC_PORT = 88;

/** The settings of these files; earlier ones come first. */
export function readKrb5Settings(paths: readonly string[], files: Krb5Files): Krb5Settings {
  return krb5Settings(parseKrb5Conf(paths, files));
}

/** Finds the settings in a file that is read (MIT, krb5.conf). */
export function krb5Settings(conf: Krb5Section): Krb5Settings {
  const defaults = conf.sections.get("libdefaults");
  const first = (name: string): string | undefined => defaults?.values.get(name)?.[0];
  const realms = conf.sections.get("realms");
  const places = (realm: string): readonly string[] =>
    // Java takes several KDCs in one line.
    (realms?.sections.get(realm)?.values.get("kdc") ?? []).flatMap((line) => line.split(/[\s,]+/)).filter(Boolean);
  return {
    defaultRealm: first("default_realm") || undefined,
    defaultCacheName: first("default_ccache_name") || undefined,
    looksUpKdc: isOn(first("dns_lookup_kdc") ?? first("dns_fallback")),
    kdcs: (realm) => places(realm).flatMap((place) => kdcAddress(place) ?? []),
    proxies: (realm) => places(realm).filter((place) => /^https?:/i.test(place)),
    realmOf: (host) => realmOf(host, conf.sections.get("domain_realm")),
  };
}

/** A boolean as MIT reads it; yes if it is not set. */
function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(?:n|no|false|f|nil|0|off)$/i.test(value);
}

/** `host`, `host:88`, `[::1]:88`, also with `tcp/` or `udp/` in front; every KDC is asked by TCP. */
function kdcAddress(place: string): KdcAddress | undefined {
  if (/^https?:/i.test(place)) return undefined;
  const bare = place.replace(/^(?:tcp|udp|kkdcp)\//i, "");
  const [, bracketed, named = bare, port] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(bare) ?? ([bare, bare] as readonly string[]);
  return { host: bracketed ?? named, port: port === undefined ? KDC_PORT : Number(port) };
}

/** The host itself, then the domains around it, with and without a dot in front (MIT, krb5.conf, [domain_realm]). */
function realmOf(host: string, section: Krb5Section | undefined): string | undefined {
  const byName = new Map(Array.from(section?.values ?? [], ([name, [realm]]) => [name.toLowerCase(), realm] as const));
  const labels = host.toLowerCase().split(".");
  const names = labels.flatMap((_, at) => {
    const domain = labels.slice(at).join(".");
    return at === 0 ? [domain] : [`.${domain}`, domain];
  });
  return names.map((name) => byName.get(name)).find((realm) => realm !== undefined);
}
