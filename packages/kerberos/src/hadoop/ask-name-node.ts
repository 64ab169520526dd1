import { harmlessText, KindlingError } from "@kindling/core-spec";
import { parseTokenText, type HadoopToken } from "./hadoop-token.ts";

/** The answer to a request over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends a GET over HTTP, and follows no redirect; rejects with why there is no answer. */
export type AskHttp = (url: URL, headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>;

export interface TokenQuery {
  /** Who may renew the token; empty for nobody. */
  readonly renewer: string;
  /** The user that the ticket's user acts for. */
  readonly proxyUser: string | undefined;
}

/** A name node that does not hand out a token, while another one may. */
export class NameNodePassed extends Error {}

/** The request for a token (Hadoop, "WebHDFS REST API", Get Delegation Token). */
export function tokenUrl(nameNode: URL, { renewer, proxyUser }: TokenQuery): URL {
  const url = new URL("/webhdfs/v1/", nameNode);
  url.search = new URLSearchParams({
    op: "GETDELEGATIONTOKEN",
    ...(renewer !== "" && { renewer }),
    ...(proxyUser !== undefined && { doas: proxyUser }),
  }).toString();
  return url;
}

/**
 * Reads the answer.
 *
 * @throws NameNodePassed if the name node is in standby, or starts
 * @throws KindlingError `TOKEN_REFUSED`
 */
export function readTokenAnswer({ status, text }: HttpAnswer, { host }: URL): HadoopToken {
  const { exception, message, urlString } = parseAnswer(text);
  if (exception !== undefined && PASSING.has(exception)) throw new NameNodePassed(`${host}: ${exception}`);
  if (status === 200 && urlString !== undefined) return parseToken(urlString, host);
  const [words = ""] = (message ?? "").split("\n", 1);
  throw new KindlingError(
    "TOKEN_REFUSED",
    `the name node ${host} gives no delegation token: ${words === "" ? "" : `${harmlessText(words)} `}(${exception === undefined ? "" : `${harmlessText(exception)}, `}HTTP ${status})`,
    { hint: hintFor(status, words, exception) },
  );
}

function parseToken(text: string, host: string): HadoopToken {
  try {
    return parseTokenText(text);
  } catch (error) {
    throw new KindlingError("TOKEN_REFUSED", `the name node ${host} sent a delegation token that cannot be read`, {
      hint: "is this the address of a WebHDFS service? See dfs.namenode.http-address in hdfs-site.xml",
      // The cause has no part of the token.
      cause: error,
    });
  }
}

// A name node that is in standby or starts (Hadoop, StandbyException, RetriableException).
const PASSING: ReadonlySet<string> = new Set(["StandbyException", "RetriableException", "ServerTooBusyException"]);

function hintFor(status: number, words: string, exception: string | undefined): string {
  if (/can be issued only with kerberos/i.test(words)) {
    return "the name node did not take the login for one by Kerberos: set dfs.web.authentication.kerberos.principal there";
  }
  if (/not allowed to impersonate/i.test(words)) {
    return "allow it in the name node's core-site.xml: hadoop.proxyuser.USER.hosts and .groups";
  }
  if (status === 200) return "has the name node security switched on? It hands out no tokens without";
  if (status === 401 || status === 403) {
    return exception === undefined || /GSSException|Authentication/i.test(`${words} ${exception}`)
      ? "compare the name node's clock and its keytab of HTTP/host with the KDC; its log says more"
      : "the log of the name node says more";
  }
  if (status === 404) return "is this the address of WebHDFS? See dfs.namenode.http-address in hdfs-site.xml";
  return "the log of the name node says more";
}

interface Answer {
  readonly urlString?: string;
  readonly exception?: string;
  readonly message?: string;
}

function parseAnswer(text: string): Answer {
  try {
    const document = JSON.parse(text) as {
      Token?: { urlString?: unknown } | null;
      RemoteException?: { exception?: unknown; message?: unknown } | null;
    } | null;
    const { urlString } = document?.Token ?? {};
    const { exception, message } = document?.RemoteException ?? {};
    return {
      ...(typeof urlString === "string" && { urlString }),
      ...(typeof exception === "string" && { exception }),
      ...(typeof message === "string" && { message }),
    };
  } catch {
    return {};
  }
}
