import { harmlessText } from "@kindling/core-spec";
import { hasAtMostValues, hideNothing, readBeginning, readText, type Hide, type HttpResponse } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { StagingError } from "../errors.ts";
import { parseProblem, PROBLEM_MEDIA_TYPE, problemName, type ProblemDocument } from "../protocol/problem.ts";
import { v1Paths } from "../protocol/v1-paths.ts";
import { stagingFault } from "./staging-fault.ts";
import type { StagingTransport } from "./staging-transport.ts";

// Only a few words of an answer that is no success are quoted. A problem document may name files after them.
const MOST_REFUSAL_BYTES = 16 * 1024;
const MOST_PROBLEM_BYTES = 512 * 1024;

/** The text of an answer that was no success, or its beginning. For `quotedAnswer`. */
export async function readRefusal(response: HttpResponse, transport: StagingTransport): Promise<string> {
  const isProblem = response.headers["content-type"]?.startsWith(PROBLEM_MEDIA_TYPE) === true;
  const mostBytes = isProblem ? MOST_PROBLEM_BYTES : MOST_REFUSAL_BYTES;
  return (await readBeginning(response, { mostBytes, within: within(transport) })).text;
}

/** The whole document must arrive within the time that a body may pause. */
function within({ clock, stallTimeoutMs }: StagingTransport): { clock: Clock; milliseconds: number } {
  return { clock, milliseconds: stallTimeoutMs };
}

/** Text of a server as a message may quote it: short, and without secrets or characters that a terminal acts on. */
export function quotedAnswer(words: string, { redact }: StagingTransport, mostBytes?: number): string {
  // Secrets are removed first, because a cut or escaped secret would not be recognized any more.
  return harmlessText(redact(words), mostBytes);
}

/**
 * Reads the body of a successful answer as text.
 *
 * @throws StagingError `protocol` if it is too long
 */
export async function readWhole(
  response: HttpResponse,
  transport: StagingTransport,
  mostBytes: number,
): Promise<string> {
  try {
    return await readText(response, { mostBytes, within: within(transport) });
  } catch (error) {
    throw stagingFault(error, response);
  }
}

/**
 * Reads a JSON document from a successful answer.
 *
 * @param hide removes from the document's texts what must not be shown
 */
export async function readJson(response: HttpResponse, transport: StagingTransport, hide: Hide): Promise<unknown> {
  const { url } = response;
  const { mostBytes, mostValues } = transport.documents;
  const text = await readWhole(response, transport, mostBytes);
  if (!hasAtMostValues(text, mostValues)) {
    throw new StagingError(
      "protocol",
      `${url.origin}: the answer to ${url.pathname} has more than ${mostValues} values`,
    );
  }
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? hide(value) : value)) as unknown;
  } catch {
    // The parser's message would quote the answer.
    throw new StagingError("protocol", `${url.origin}: the answer to ${url.pathname} is no JSON`, {
      hint: "is this the address of a staging server?",
    });
  }
}

/**
 * Turns an answer that was no success into an error.
 *
 * @param hide removes from the server's texts what must not be shown
 */
export async function refusal(
  response: HttpResponse,
  transport: StagingTransport,
  hide: Hide = hideNothing,
): Promise<StagingError> {
  const { url, proxy } = response;
  const quoted = (words: string): string => quotedAnswer(hide(words), transport);
  const text = await readRefusal(response, transport);
  const problem = parseProblem(text, quoted);
  const { status } = response;
  if (status >= 300 && status < 400) return redirected(response, url, quoted);
  const onTheWay = problem === undefined ? statusMessage(text, quoted) : undefined;
  const detail = problem === undefined ? (onTheWay ?? `HTTP status ${status}`) : (problem.detail ?? problem.title);
  const reference = problem?.requestId === undefined ? "" : ` (request ${problem.requestId})`;
  const retryAfterMs = parseRetryAfter(response.headers["retry-after"]);
  return new StagingError(
    onTheWay !== undefined && status === 503 ? "connect" : faultOf(status, problem),
    `${url.origin}: ${detail}${reference}`,
    {
      status,
      retryable: problem?.retryable ?? RETRYABLE_STATUS.has(status),
      ...(problem !== undefined && { problem }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...hintOf(status, problem, url, proxy),
    },
  );
}

/**
 * The message of an API server in between (Status, meta/v1), if the request did not get farther. 503 means that the API
 * server does not reach the staging server.
 */
function statusMessage(text: string, quoted: (words: string) => string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const { kind, message } = JSON.parse(text) as { readonly kind?: unknown; readonly message?: unknown };
    return kind === "Status" && typeof message === "string" && message !== "" ? quoted(message) : undefined;
  } catch {
    return undefined;
  }
}

/** Only downloads follow redirects: other requests have the caller's credentials, which another server must not see. */
function redirected({ status, headers }: HttpResponse, url: URL, quoted: (words: string) => string): StagingError {
  const { location = "" } = headers;
  const target = URL.canParse(location, url.href) ? new URL(location, url).origin : "something that is no URI";
  return new StagingError("redirect", `${url.origin}: redirects to ${quoted(target)}, which is not followed`, {
    status,
    hint: "give the address that the staging server itself has",
  });
}

// A proxy in between answers without a problem document, and an answer to HEAD never has one: in these cases, 409 means
// that another request for the same upload took over.
const RETRYABLE_STATUS: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

function faultOf(status: number, problem: ProblemDocument | undefined): StagingError["fault"] {
  const name = problem === undefined ? undefined : problemName(problem.type);
  if (name === "digest-mismatch") return "digest";
  if (name === "quota-exceeded" || name === "limit-reached") return "quota";
  if (name === "store-read-only") return "server";
  if (name === "overloaded" || name === "too-many-uploads") return "overloaded";
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not-found";
    case 410:
      return "gone";
    case 413:
      return "too-large";
    case 429:
    case 503:
      return "overloaded";
    case 507:
      return "no-space";
    default:
      return status >= 500 ? "server" : "rejected";
  }
}

function hintOf(
  status: number,
  problem: ProblemDocument | undefined,
  url: URL,
  proxy: string | undefined,
): { hint?: string } {
  if (problem === undefined && proxy !== undefined)
    return { hint: `is that the server's answer, or that of ${proxy}?` };
  if (status === 401) return { hint: "check the token or secret that is sent to the staging server" };
  if (status === 403) return { hint: url.pathname.endsWith(v1Paths.gc) ? ASK_FOR_ADMIN : ASK_FOR_UPLOAD };
  // With a problem document the sender is a staging server, and only the requested thing is missing.
  if (status === 404 && problem === undefined) {
    return { hint: "is this the address of a staging server, and does it speak this version?" };
  }
  return {};
}

const ASK_FOR_ADMIN = "ask an administrator of the staging server to do it, or to make you one of its administrators";
const ASK_FOR_UPLOAD = "ask for the right to upload for this namespace";

// Longer than any overload that is worth waiting for; a server may even send years.
const MOST_RETRY_AFTER_SECONDS = 300;

/** Seconds only: the other form, a date, would have to trust two clocks. */
function parseRetryAfter(field: string | undefined): number | undefined {
  if (field === undefined || !/^\d+$/.test(field)) return undefined;
  return Math.min(Number(field), MOST_RETRY_AFTER_SECONDS) * 1000;
}
