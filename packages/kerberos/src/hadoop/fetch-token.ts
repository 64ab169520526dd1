import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Random } from "@kindling/outside";
import { serviceTicket, type TicketMeans } from "../kdc/service-ticket.ts";
import type { KerberosLogin } from "../login/kerberos-login.ts";
import { negotiateToken } from "./negotiate-token.ts";
import { NameNodePassed, readTokenAnswer, tokenUrl, type AskHttp, type TokenQuery } from "./ask-name-node.ts";
import type { TokenFileSystem } from "./file-system.ts";
import type { HadoopToken } from "./hadoop-token.ts";

export interface FetchMeans {
  readonly login: KerberosLogin;
  readonly tickets: TicketMeans;
  readonly askHttp: AskHttp;
  /** The address of a host, as Java chooses it; `undefined` if it has none. */
  readonly addressOf: (host: string) => Promise<string | undefined>;
  /** Whether tokens name their service by its address (`hadoop.security.token.service.use_ip`). */
  readonly byAddress: boolean;
  readonly random: Random;
}

/**
 * Gets a file system's delegation token from its active name node, over WebHDFS with SPNEGO. The same secret signs the
 * tokens of the RPC and of WebHDFS, so that only the kind and the service differ (Hadoop, DelegationTokenSecretManager); the
 * service is the caller's matter.
 *
 * @throws KindlingError `TOKEN_REFUSED`, `KERBEROS_FAILED`, `KDC_UNREACHABLE`
 */
export async function fetchToken(system: TokenFileSystem, query: TokenQuery, means: FetchMeans): Promise<HadoopToken> {
  const faults: string[] = [];
  for (const nameNode of system.nameNodes) {
    try {
      const token = await askOne(nameNode, query, means);
      return { ...token, kind: system.kind };
    } catch (error) {
      if (!(error instanceof NameNodePassed)) throw error;
      faults.push(error.message);
    }
  }
  const [problem, hint] =
    system.nameNodes.length === 0
      ? ["the configuration names none", "set dfs.ha.namenodes and dfs.namenode.http-address in hdfs-site.xml"]
      : [faults.join("; "), "check dfs.namenode.http-address in hdfs-site.xml, and the network"];
  throw new KindlingError("TOKEN_REFUSED", `no name node of ${system.name} gives a delegation token: ${problem}`, {
    hint,
  });
}

async function askOne(nameNode: URL, query: TokenQuery, means: FetchMeans): Promise<HadoopToken> {
  const { login, tickets, askHttp, random } = means;
  const ticket = await serviceTicket("HTTP", nameNode.hostname, login.ticketGranting, tickets);
  // Made for each request, because a service takes each only once.
  const authorization = `Negotiate ${negotiateToken(ticket, tickets.now(), random)}`;
  const answer = await askHttp(tokenUrl(nameNode, query), { authorization }).catch((error: unknown) => {
    const why = messageOf(error);
    throw new NameNodePassed(why.includes(nameNode.host) ? why : `${nameNode.host}: ${why}`);
  });
  return readTokenAnswer(answer, nameNode);
}

/** What a file system's token is for, as a text (SecurityUtil.buildTokenService). */
export async function tokenService(
  { service }: TokenFileSystem,
  { addressOf, byAddress }: Pick<FetchMeans, "addressOf" | "byAddress">,
): Promise<string> {
  if (typeof service === "string") return service;
  const { host, port } = service;
  const address = byAddress ? await addressOf(host) : undefined;
  return `${address ?? host}:${port}`;
}
