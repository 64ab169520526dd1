import { StagingError } from "../errors.ts";
import { parseProblem, problemName, type ProblemDocument } from "../protocol/problem.ts";
import { v1Paths } from "../protocol/v1-paths.ts";
import type { HttpResponse, HttpTransport } from "./http-transport.ts";
import { networkError } from "./network-error.ts";

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Reads a body that fits in memory, as text. */
export async function readText(response: HttpResponse, transport: HttpTransport, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stall = transport.clock.after(transport.stallTimeoutMs, () =>
    response.body.destroy(new StagingError("stalled", "the answer stopped", { retryable: true })),
  );
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_DOCUMENT_BYTES) throw new StagingError("protocol", `${url.origin}: the answer is too long`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw networkError(error, url);
  } finally {
    stall();
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Reads a JSON document from an answer that was a success. */
export async function readJson<T>(response: HttpResponse, transport: HttpTransport, url: URL): Promise<T> {
  const text = await readText(response, transport, url);
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new StagingError("protocol", `${url.origin}: the answer to ${url.pathname} is no JSON`, {
      hint: "is this the address of a staging server?",
      cause: error,
    });
  }
}

/** Turns an answer that was no success into the error that it stands for. */
export async function refusal(response: HttpResponse, transport: HttpTransport, url: URL): Promise<StagingError> {
  const text = await readText(response, transport, url).catch(() => "");
  const problem = parseProblem(text);
  const { status } = response;
  const detail = problem === undefined ? `HTTP status ${status}` : (problem.detail ?? problem.title);
  const reference = problem?.requestId === undefined ? "" : ` (request ${problem.requestId})`;
  const retryAfterMs = parseRetryAfter(response.headers["retry-after"]);
  return new StagingError(faultOf(status, problem), `${url.origin}: ${detail}${reference}`, {
    status,
    retryable: problem?.retryable ?? RETRYABLE_STATUS.has(status),
    ...(problem !== undefined && { problem }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...hintOf(status, problem, url),
  });
}

// A proxy in between answers without a problem document, and an answer to HEAD never has one: there, 409 means that
// another request for the same upload took over.
const RETRYABLE_STATUS: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

function faultOf(status: number, problem: ProblemDocument | undefined): StagingError["fault"] {
  const name = problem === undefined ? undefined : problemName(problem.type);
  if (name === "digest-mismatch") return "digest";
  if (name === "quota-exceeded") return "quota";
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

function hintOf(status: number, problem: ProblemDocument | undefined, url: URL): { hint?: string } {
  if (status === 401) return { hint: "check the token or secret that is sent to the staging server" };
  if (status === 403) return { hint: url.pathname.endsWith(v1Paths.gc) ? ASK_FOR_ADMIN : ASK_FOR_UPLOAD };
  // With a problem document it is a staging server, and what is missing is the thing that was asked for.
  if (status === 404 && problem === undefined) {
    return { hint: "is this the address of a staging server, and does it speak this version?" };
  }
  return {};
}

const ASK_FOR_ADMIN = "ask whoever runs the staging server to do it, or to make you one of its administrators";
const ASK_FOR_UPLOAD = "ask for the right to upload for this namespace";

/** Seconds only: the other form, a date, would have to trust two clocks. */
function parseRetryAfter(field: string | undefined): number | undefined {
  return field !== undefined && /^\d{1,6}$/.test(field) ? Number(field) * 1000 : undefined;
}
