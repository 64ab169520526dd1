import { readText } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { storeError } from "../connection.ts";
import { ObjectStoreError } from "../object-store-error.ts";
import { refusalWords } from "../refusal-words.ts";
import type { CredentialsContext, LentKeys } from "./aws-keys.ts";

// Keys have some KiB, with their session token.
const MOST_BYTES = 64 * 1024;
const TIME_LIMIT_MS = 15_000;

export interface KeyRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The service is on this machine or its local link: no proxy is used. */
  readonly nearby?: boolean;
  readonly timeLimitMs?: number;
}

export interface KeyAnswer {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  /** The field `Date`. */
  readonly date: string | undefined;
}

/** One request to a service that gives out keys. A redirect counts as an answer without keys, and is not followed. */
export async function askForKeys({ transport }: CredentialsContext, request: KeyRequest): Promise<KeyAnswer> {
  const { method, url, headers, body, nearby = false, timeLimitMs = TIME_LIMIT_MS } = request;
  try {
    const response = await transport.send({ method, url, headers, body, direct: nearby, timeoutMs: timeLimitMs });
    const text = await readText(response, { mostBytes: MOST_BYTES });
    return { url, status: response.status, text, date: response.headers.date };
  } catch (error) {
    throw storeError(error);
  }
}

/** Reads keys from an answer of the services of containers and machines; `undefined` if the answer has none. */
export function parseKeys({ status, text, date }: KeyAnswer, clock: Clock): LentKeys | undefined {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = stringMembers(text);
  if (status !== 200 || !AccessKeyId || !SecretAccessKey) return undefined;
  return {
    keys: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token },
    seconds: secondsUntil(Expiration, date, clock),
  };
}

function stringMembers(text: string): Readonly<Record<string, string | undefined>> {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document !== "object" || document === null) return {};
    return Object.fromEntries(
      Object.entries(document).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}

// By default, all services give keys for longer than this.
const SHORTEST_SECONDS = 900;

/** How long keys are valid, by the clock of the service that gave them, if it reports its time: this machine's may be wrong. */
export function secondsUntil(expiration: string | undefined, date: string | undefined, clock: Clock): number {
  const given = Date.parse(date ?? "");
  const seconds = (Date.parse(expiration ?? "") - (Number.isNaN(given) ? clock.now() : given)) / 1000;
  return seconds > 0 ? seconds : SHORTEST_SECONDS;
}

export interface KeyRefusal {
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly hint?: string;
}

/** @param what such as `sts.example gives no keys` */
export function refusedKeys(
  { redact }: CredentialsContext,
  what: string,
  status: number,
  { message, code, hint }: KeyRefusal = {},
): ObjectStoreError {
  return new ObjectStoreError("credentials", `${what}: ${refusalWords({ message, code, status }, redact)}`, {
    status,
    code,
    hint,
    retryable: status >= 500 || status === 429,
  });
}
