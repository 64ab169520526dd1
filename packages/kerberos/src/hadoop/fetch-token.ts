import { KindlingError, messageOf } from "@kindling/core-spec";
import { isHttpError } from "@kindling/http";
import type { Random } from "@kindling/outside";
import { serviceTicket, type TicketMeans } from "../kdc/service-ticket.ts";
import type { KerberosLogin } from "../login/kerberos-login.ts";
import { negotiateToken } from "./negotiate-token.ts";
import {
  NameNodePassed,
  operationUrl,
  readRenewalAnswer,
  readTokenAnswer,
  tokenUrl,
  type AskHttp,
  type HttpAnswer,
  type HttpRequest,
  type Renewal,
  type TokenQuery,
} from "./ask-name-node.ts";
import type { TokenFileSystem } from "./file-system.ts";
import { tokenText, type HadoopToken } from "./hadoop-token.ts";

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
  const token = await askActive(
    system,
    { method: "GET", url: (nameNode) => tokenUrl(nameNode, query), read: readTokenAnswer, what: "gives" },
    means,
  );
  return { ...token, kind: system.kind };
}

/**
 * Renews a delegation token. Its bytes stay the same: the name node notes a later end. The login has to be that of the
 * token's renewer.
 *
 * @throws KindlingError `TOKEN_REFUSED`, `KERBEROS_FAILED`, `KDC_UNREACHABLE` if a later try may succeed
 */
export async function renewToken(token: HadoopToken, system: TokenFileSystem, means: FetchMeans): Promise<Renewal> {
  const parameters = { op: "RENEWDELEGATIONTOKEN", token: tokenText(token) };
  return await askActive(
    system,
    { method: "PUT", url: (nameNode) => operationUrl(nameNode, parameters), read: readRenewalAnswer, what: "renews" },
    means,
  );
}

interface Operation<T> {
  readonly method: HttpRequest["method"];
  readonly url: (nameNode: URL) => URL;
  readonly read: (answer: HttpAnswer, nameNode: URL) => T;
  /** A verb for errors. */
  readonly what: string;
}

/** Asks one name node after the other. */
async function askActive<T>(system: TokenFileSystem, operation: Operation<T>, means: FetchMeans): Promise<T> {
  const faults: NameNodePassed[] = [];
  for (const nameNode of system.nameNodes) {
    try {
      return await askOne(nameNode, operation, means);
    } catch (error) {
      if (!(error instanceof NameNodePassed)) throw error;
      faults.push(error);
    }
  }
  const hint = faults.map((fault) => fault.hint).find((each) => each !== undefined);
  const [problem, usual] =
    faults.length === 0
      ? ["the configuration names none", "set dfs.ha.namenodes and dfs.namenode.http-address in hdfs-site.xml"]
      : [
          faults.map(({ message }) => message).join("; "),
          "check dfs.namenode.http-address and dfs.http.policy in hdfs-site.xml, and the network",
        ];
  throw new KindlingError(
    "TOKEN_REFUSED",
    `no name node of ${system.name} ${operation.what} a delegation token: ${problem}`,
    { hint: hint ?? usual },
  );
}

async function askOne<T>(nameNode: URL, { method, url, read }: Operation<T>, means: FetchMeans): Promise<T> {
  const { login, tickets, askHttp, random } = means;
  const ticket = await serviceTicket("HTTP", nameNode.hostname, login.ticketGranting, tickets);
  // Made for each request, because a service takes each only once.
  const authorization = `Negotiate ${negotiateToken(ticket, tickets.now(), random)}`;
  const answer = await askHttp(url(nameNode), { method, headers: { authorization } }).catch((error: unknown) => {
    const why = messageOf(error);
    throw new NameNodePassed(why.includes(nameNode.host) ? why : `${nameNode.host}: ${why}`, tlsHint(error));
  });
  return read(answer, nameNode);
}

/** What to do about a connection over TLS that failed. */
function tlsHint(error: unknown): string | undefined {
  if (!isHttpError(error) || error.kind !== "tls") return undefined;
  if (error.reason !== "unknown-ca") return error.hint;
  return "trust its authority: name a trust store in ssl-client.xml (ssl.client.truststore.location), or a file in PEM in NODE_EXTRA_CA_CERTS";
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
