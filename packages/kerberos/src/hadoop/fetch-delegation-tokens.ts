import type { Clock, Random } from "@kindling/outside";
import type { AskHttp } from "./ask-name-node.ts";
import { fetchToken, tokenService, type FetchMeans } from "./fetch-token.ts";
import { fileSystemsOf, type FileSystemsOf, type TokenFileSystem } from "./file-system.ts";
import type { HadoopConfiguration } from "./hadoop-configuration.ts";
import type { HadoopToken } from "./hadoop-token.ts";
import { realmClient, type AskKdc, type FindServers } from "../kdc/kdc-client.ts";
import type { KerberosLogin } from "../login/kerberos-login.ts";

/** Whose tokens are wanted. */
export interface WantedFileSystems {
  readonly conf: HadoopConfiguration;
  /** File systems besides `fs.defaultFS`. */
  readonly fileSystems: readonly string[];
  /** The setting that has them, for errors. */
  readonly origin: string;
}

/**
 * The file systems whose tokens Spark fetches when it submits (HadoopFSDelegationTokenProvider.hadoopFSsToAccess): those
 * behind `fs.defaultFS`, and those that are listed.
 *
 * @throws KindlingError `CONF_INVALID` for what is no URI
 */
export function tokenFileSystems({ conf, fileSystems, origin }: WantedFileSystems): FileSystemsOf {
  const found = [
    fileSystemsOf(conf.get("fs.defaultFS") ?? "file:///", conf, "fs.defaultFS"),
    ...fileSystems.map((each) => fileSystemsOf(each, conf, origin)),
  ];
  const byName = new Map(found.flatMap((each) => each.fileSystems.map((system) => [system.name, system] as const)));
  return { fileSystems: [...byName.values()], others: [...new Set(found.flatMap(({ others }) => others))] };
}

/** Which tokens are fetched, and who they are for. */
export interface DelegationTokenRequest {
  readonly conf: HadoopConfiguration;
  readonly fileSystems: readonly TokenFileSystem[];
  /** Hosts or name services whose tokens nobody renews. */
  readonly notRenewed: readonly string[];
  /** The short name of the one who may renew the tokens. */
  readonly renewer: string;
  /** The user that the ticket's user acts for. */
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

/**
 * Fetches a delegation token of each file system with the user's ticket.
 *
 * @throws KindlingError `KERBEROS_FAILED`, `KDC_UNREACHABLE`, `TOKEN_REFUSED`
 */
export async function fetchDelegationTokens(
  login: KerberosLogin,
  request: DelegationTokenRequest,
  means: DelegationTokenMeans,
): Promise<readonly HadoopToken[]> {
  const { conf, fileSystems, proxyUser, renewer, notRenewed } = request;
  const fetching = fetchMeans(login, conf, means);
  const tokens: HadoopToken[] = [];
  for (const system of fileSystems) {
    const service = await tokenService(system, fetching);
    // One token is enough for a name node with two names (FileSystem.collectDelegationTokens).
    if (tokens.some((token) => token.service === service)) continue;
    const isRenewed = !notRenewed.includes(hostOf(system.name));
    const query = { renewer: isRenewed ? renewer : "", proxyUser };
    tokens.push({ ...(await fetchToken(system, query, fetching)), service });
  }
  return tokens;
}

/** The means of a login. */
export function fetchMeans(login: KerberosLogin, conf: HadoopConfiguration, means: DelegationTokenMeans): FetchMeans {
  const { clock, random, askKdc, findServers, askHttp, addressOf } = means;
  const askRealm = realmClient({ settings: login.settings, ask: askKdc, findServers });
  const tickets = { settings: login.settings, askRealm, random, now: () => clock.now() + login.clockOffset };
  return { login, tickets, askHttp, addressOf, byAddress: isByAddress(conf), random };
}

/** Whether tokens name their service by its address. */
export function isByAddress(conf: HadoopConfiguration): boolean {
  return conf.get("hadoop.security.token.service.use_ip")?.toLowerCase() !== "false";
}

function hostOf(name: string): string {
  return name.replace(/^\w+:\/\//, "").replace(/:\d+$/, "");
}
