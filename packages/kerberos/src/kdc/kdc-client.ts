import { KindlingError } from "@kindling/core-spec";
import type { KdcAddress, Krb5Settings } from "../krb5-conf/krb5-settings.ts";

/** Sends a message to a KDC and resolves with its answer; rejects with why there is none. */
export type AskKdc = (kdc: KdcAddress, message: Buffer) => Promise<Buffer>;

/** The servers that DNS has for a service, in the order in which they are to be asked; empty if there are none. */
export type FindServers = (name: string) => Promise<readonly KdcAddress[]>;

/** Sends a message to one of the KDCs of a realm, and resolves with the first answer. */
export type AskRealm = (realm: string, message: Buffer) => Promise<Buffer>;

export interface RealmOptions {
  readonly settings: Krb5Settings;
  readonly ask: AskKdc;
  readonly findServers: FindServers;
}

/** Asks the KDCs of a realm one after another. The one that answered is asked first the next time. */
export function realmClient({ settings, ask, findServers }: RealmOptions): AskRealm {
  const known = new Map<string, readonly KdcAddress[]>();
  return async (realm, message) => {
    const kdcs = known.get(realm) ?? (await kdcsOf(realm, settings, findServers));
    const faults: string[] = [];
    for (const kdc of kdcs) {
      try {
        const answer = await ask(kdc, message);
        known.set(realm, [kdc, ...kdcs.filter((other) => other !== kdc)]);
        return answer;
      } catch (error) {
        faults.push(`${kdc.host}:${kdc.port} ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    throw new KindlingError("KDC_UNREACHABLE", `no KDC of the realm ${realm} answers: ${faults.join("; ")}`, {
      hint: `check kdc of ${realm} under [realms] in krb5.conf, and the network; KDCs are asked by TCP`,
    });
  };
}

async function kdcsOf(realm: string, settings: Krb5Settings, findServers: FindServers): Promise<readonly KdcAddress[]> {
  const named = settings.kdcs(realm);
  if (named.length > 0) return named;
  // RFC 4120, section 7.2.3.2.
  const found = settings.looksUpKdc ? await findServers(`_kerberos._tcp.${realm}`) : [];
  if (found.length > 0) return found;
  const [proxy] = settings.proxies(realm);
  throw new KindlingError(
    "KERBEROS_FAILED",
    proxy === undefined
      ? `krb5.conf names no KDC of the realm ${realm}${settings.looksUpKdc ? ", and DNS has none" : ""}`
      : `the KDC of the realm ${realm} is behind the proxy ${proxy}, which cannot be asked`,
    { hint: `name a kdc of ${realm} under [realms] in krb5.conf` },
  );
}
