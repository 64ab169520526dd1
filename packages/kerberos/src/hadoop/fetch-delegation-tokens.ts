import type { Clock, Random } from "@kindling/outside";
import type { AskHttp } from "./ask-name-node.ts";
import { fetchToken } from "./fetch-token.ts";
import { fileSystemsOf, type TokenFileSystem } from "./file-system.ts";
import type { HadoopConfiguration } from "./hadoop-configuration.ts";
import { credentialsFile, type HadoopToken } from "./hadoop-token.ts";
import { realmClient, type AskKdc, type FindServers } from "../kdc/kdc-client.ts";
import type { KerberosLogin } from "../login/kerberos-login.ts";

/** Which tokens are fetched, and for whom. */
export interface DelegationTokenRequest {
  readonly conf: HadoopConfiguration;
  /** File systems besides `fs.defaultFS`, with the name of the setting that has them. */
  readonly fileSystems: readonly string[];
  readonly origin: string;
  /** Hosts or name services whose tokens nobody renews. */
  readonly notRenewed: readonly string[];
  /** The short name of the one who may renew the tokens. */
  readonly renewer: string;
  /** The user for whom the ticket's user acts. */
  readonly proxyUser: string | undefined;
}

/** The world around. */
export interface DelegationTokenMeans {
  readonly clock: Clock;
  readonly random: Random;
  readonly askKdc: AskKdc;
  readonly findServers: FindServers;
  readonly askHttp: AskHttp;
  /** The address of a host, as Java chooses it; `undefined` if it has none. */
  readonly addressOf: (host: string) => Promise<string | undefined>;
}

export interface DelegationTokens {
  readonly tokens: readonly HadoopToken[];
  /** The file for `HADOOP_TOKEN_FILE_LOCATION`; `undefined` if there are no tokens. */
  readonly file: Buffer | undefined;
  /** File systems with tokens of another kind, which are not fetched. */
  readonly others: readonly string[];
}

/**
 * Fetches the delegation tokens of the file systems that an application may access, as Spark does when it submits
 * (HadoopFSDelegationTokenProvider): of `fs.defaultFS`, and of those that are listed.
 *
 * @throws KindlingError `KERBEROS_FAILED`, `KDC_UNREACHABLE`, `TOKEN_REFUSED`, `CONF_INVALID`
 */
export async function fetchDelegationTokens(
  login: KerberosLogin,
  request: DelegationTokenRequest,
  means: DelegationTokenMeans,
): Promise<DelegationTokens> {
  const { conf, proxyUser, renewer, notRenewed } = request;
  const { clock, random, askKdc, findServers, askHttp, addressOf } = means;
  const { fileSystems, others } = wantedFileSystems(request);
  const askRealm = realmClient({ settings: login.settings, ask: askKdc, findServers });
  const tickets = { settings: login.settings, askRealm, random, now: () => clock.now() + login.clockOffset };
  const byAddress = conf.get("hadoop.security.token.service.use_ip")?.toLowerCase() !== "false";
  const tokens: HadoopToken[] = [];
  for (const system of fileSystems) {
    const isRenewed = !notRenewed.includes(new URL(system.name.replace(/^\w+/, "http")).hostname);
    const query = { renewer: isRenewed ? renewer : "", proxyUser };
    tokens.push(await fetchToken(system, query, { login, tickets, askHttp, addressOf, byAddress, random }));
  }
  return { tokens, file: tokens.length === 0 ? undefined : credentialsFile(tokens), others };
}

function wantedFileSystems({ conf, fileSystems, origin }: DelegationTokenRequest): {
  readonly fileSystems: readonly TokenFileSystem[];
  readonly others: readonly string[];
} {
  const found = [
    fileSystemsOf(conf.get("fs.defaultFS") ?? "file:///", conf, "fs.defaultFS"),
    ...fileSystems.map((each) => fileSystemsOf(each, conf, origin)),
  ];
  const byName = new Map(found.flatMap((each) => each.fileSystems.map((system) => [system.name, system] as const)));
  return { fileSystems: [...byName.values()], others: [...new Set(found.flatMap(({ others }) => others))] };
}
