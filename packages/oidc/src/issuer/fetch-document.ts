import {
  discardBody,
  environmentProxies,
  hasAtMostValues,
  httpTransport,
  type HttpTransport,
  readText,
} from "@kindling/http";
import type { Clock, Env } from "@kindling/outside";

/** A thousand keys with their certificates are shorter. */
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_VALUES = 100_000;
const WITHIN_MS = 10_000;

export interface IssuerConnection {
  readonly clock: Clock;
  readonly env: Env;
  /** The authorities of the issuer's certificate, as PEM, read for each connection; undefined: Node's own list. */
  readonly ca: () => string | undefined;
}

/** Gets the JSON documents of an issuer, over a connection that is closed at the end: they are rarely asked for. */
export async function withIssuer<T>(
  { clock, env, ca }: IssuerConnection,
  work: (transport: HttpTransport) => Promise<T>,
): Promise<T> {
  const limits = { connectTimeoutMs: WITHIN_MS, stallTimeoutMs: WITHIN_MS, answerTimeoutMs: WITHIN_MS };
  const transport = httpTransport({ clock, tls: { ca: ca() }, proxies: environmentProxies(env), ...limits });
  try {
    return await work(transport);
  } finally {
    transport.close();
  }
}

/** Sends a form, and reads the JSON that is answered, whatever the status is. */
export async function sendForm(
  transport: HttpTransport,
  url: URL,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly document: unknown }> {
  const answer = await transport.send({
    ...{ method: "POST", url, body: form.toString(), timeoutMs: WITHIN_MS },
    headers: { ...headers, accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
  });
  return { status: answer.status, document: parsed(url, await readText(answer, { mostBytes: MOST_BYTES })) };
}

/**
 * Gets a JSON document. Redirects are not followed.
 *
 * @throws HttpError, or an Error with one line that says what is wrong with the answer
 */
export async function fetchDocument(transport: HttpTransport, url: URL): Promise<unknown> {
  const headers = { accept: "application/json, application/jwk-set+json" };
  const answer = await transport.send({ method: "GET", url, headers, timeoutMs: WITHIN_MS });
  if (answer.status !== 200) {
    discardBody(answer);
    throw new Error(`${url.origin}${url.pathname} answers with status ${answer.status} instead of 200`);
  }
  return parsed(url, await readText(answer, { mostBytes: MOST_BYTES }));
}

function parsed(url: URL, text: string): unknown {
  if (!hasAtMostValues(text, MOST_VALUES)) throw new Error(`${url.origin}${url.pathname} has too many values`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${url.origin}${url.pathname} answers with something that is not JSON`);
  }
}
