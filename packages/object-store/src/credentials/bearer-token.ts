import type { CredentialsContext, KeySource, LentKeys } from "./aws-keys.ts";
import { askForKeys, refusedKeys, type KeyAnswer } from "./ask-for-keys.ts";
import { ObjectStoreError } from "../object-store-error.ts";

/** An OAuth access token (RFC 6750). */
export interface BearerToken {
  readonly token: string;
}

export type TokenSource = KeySource<BearerToken>;

const SHORTEST_SECONDS = 600;

/**
 * Asks a token endpoint (RFC 6749, 3.2) for an access token.
 *
 * @param hint what to do if it refuses
 */
export async function askForToken(
  context: CredentialsContext,
  url: URL,
  form: Readonly<Record<string, string>>,
  hint: string,
): Promise<LentKeys<BearerToken>> {
  const answer = await askForKeys(context, {
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: Buffer.from(new URLSearchParams(form).toString()),
  });
  return tokenOf(context, answer, hint);
}

/**
 * Reads an answer with `access_token` and `expires_in` (RFC 6749, 5.1), as token endpoints and metadata services give it.
 *
 * @throws ObjectStoreError `credentials` for any other answer
 */
export function tokenOf(context: CredentialsContext, answer: KeyAnswer, hint: string): LentKeys<BearerToken> {
  const { access_token: token, expires_in: seconds } = membersOf(answer.text);
  if (answer.status === 200 && typeof token === "string" && token !== "") {
    return { keys: { token }, seconds: Number(seconds) > 0 ? Number(seconds) : SHORTEST_SECONDS };
  }
  throw refusedToken(context, answer, hint);
}

/** The error for an answer without a token, in the words of the service (RFC 6749, 5.2). */
export function refusedToken(context: CredentialsContext, answer: KeyAnswer, hint: string): ObjectStoreError {
  const { error, error_description: description } = membersOf(answer.text);
  const google = recordOf(error);
  return refusedKeys(context, `${answer.url.host} gives no token`, answer.status, {
    message: textOf(google["message"]) ?? textOf(description),
    code: textOf(google["status"]) ?? textOf(error),
    hint,
  });
}

/** The members of a JSON object; none if the text is no JSON object. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const NEARBY: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * An address that secrets are sent to: https, or a service on this machine.
 *
 * @param where the setting that names it
 */
export function secretsUrl(where: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && NEARBY.has(url.hostname))) return url;
  throw new ObjectStoreError("settings", `${where} is no https URL`);
}
