import { harmlessText, KindlingError } from "@kindling/core-spec";
import { parseTokenText, type HadoopToken } from "./hadoop-token.ts";

/** The answer to a request over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export interface HttpRequest {
  readonly method: "GET" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request over HTTP, and follows no redirect; rejects with why there is no answer. */
export type AskHttp = (url: URL, request: HttpRequest) => Promise<HttpAnswer>;

export interface TokenQuery {
  /** Who may renew the token; empty for nobody. */
  readonly renewer: string;
  /** The user that the ticket's user acts for. */
  readonly proxyUser: string | undefined;
}

/** A name node that does not answer the question, while another one may. */
export class NameNodePassed extends Error {
  /** What to do, if no other one does either. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The request for a token (Hadoop, "WebHDFS REST API", Get Delegation Token). */
export function tokenUrl(nameNode: URL, { renewer, proxyUser }: TokenQuery): URL {
  return operationUrl(nameNode, {
    op: "GETDELEGATIONTOKEN",
    ...(renewer !== "" && { renewer }),
    ...(proxyUser !== undefined && { doas: proxyUser }),
  });
}

/** The URL of an operation without a path. */
export function operationUrl(nameNode: URL, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL("/webhdfs/v1/", nameNode);
  url.search = new URLSearchParams(parameters).toString();
  return url;
}

/**
 * Reads the answer.
 *
 * @throws NameNodePassed if the name node is in standby, or starts
 * @throws KindlingError `TOKEN_REFUSED`
 */
export function readTokenAnswer({ status, text }: HttpAnswer, { host }: URL): HadoopToken {
  const answer = parseAnswer(text);
  passOn(answer, host);
  if (status === 200 && answer.urlString !== undefined) return parseToken(answer.urlString, host);
  throw refusal(`the name node ${host} gives no delegation token`, status, answer);
}

/** The end of a token after its renewal, in milliseconds since the epoch, or why it cannot be renewed any more. */
export type Renewal = { readonly until: number } | { readonly refused: string };

/**
 * Reads the answer to a renewal.
 *
 * @throws NameNodePassed if the name node is in standby, or starts
 * @throws KindlingError `TOKEN_REFUSED` if a later try may succeed
 */
export function readRenewalAnswer({ status, text }: HttpAnswer, { host }: URL): Renewal {
  const answer = parseAnswer(text);
  passOn(answer, host);
  const { exception, until } = answer;
  if (status === 200 && until !== undefined) return { until };
  if (exception !== undefined && FINAL.has(exception)) return { refused: harmlessText(firstLine(answer)) };
  throw refusal(`the name node ${host} does not renew a delegation token`, status, answer);
}

/** @throws NameNodePassed if the name node says that another one is to be asked, or that it starts */
function passOn({ exception }: Answer, host: string): void {
  if (exception !== undefined && PASSING.has(exception)) throw new NameNodePassed(`${host}: ${exception}`);
}

function refusal(what: string, status: number, answer: Answer): KindlingError {
  const words = firstLine(answer);
  const { exception } = answer;
  return new KindlingError(
    "TOKEN_REFUSED",
    `${what}: ${words === "" ? "" : `${harmlessText(words)} `}(${exception === undefined ? "" : `${harmlessText(exception)}, `}HTTP ${status})`,
    { hint: hintFor(status, words, exception) },
  );
}

function firstLine({ message = "" }: Answer): string {
  return message.split("\n", 1)[0] ?? "";
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

// A token that has ended or was cancelled, and one that somebody else may renew (AbstractDelegationTokenSecretManager).
const FINAL: ReadonlySet<string> = new Set(["InvalidToken", "AccessControlException"]);

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
  /** The answer to a renewal. */
  readonly until?: number;
}

function parseAnswer(text: string): Answer {
  try {
    const document = JSON.parse(text) as {
      Token?: { urlString?: unknown } | null;
      long?: unknown;
      RemoteException?: { exception?: unknown; message?: unknown } | null;
    } | null;
    const { urlString } = document?.Token ?? {};
    const { exception, message } = document?.RemoteException ?? {};
    return {
      ...(typeof urlString === "string" && { urlString }),
      ...(typeof exception === "string" && { exception }),
      ...(typeof message === "string" && { message }),
      ...(typeof document?.long === "number" && { until: document.long }),
    };
  } catch {
    return {};
  }
}
