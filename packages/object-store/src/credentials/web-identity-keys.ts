import { readText, StagingError, type HttpTransport } from "@kindling/staging-client";
import type { Environment } from "../../config/environment.ts";
import type { LocalizeOptions } from "../../localize-options.ts";
import { readSmallFile } from "../../read-small-file.ts";
import { LocalizerError } from "../../report/localizer-error.ts";
import { refusalWords } from "../refusal-words.ts";
import type { TemporaryKeys } from "./aws-keys.ts";
import { element } from "./s3-file.ts";

/** Keys are of some KiB, with their session token. */
export const MOST_KEYS_BYTES: number = 64 * 1024;

/** Keys of a role for the service account's token (AWS STS, AssumeRoleWithWebIdentity). */
export async function webIdentityKeys(
  env: Environment,
  transport: HttpTransport,
  region: string,
  { redactor }: LocalizeOptions,
  signal: AbortSignal | undefined,
): Promise<TemporaryKeys> {
  const path = env["AWS_WEB_IDENTITY_TOKEN_FILE"] ?? "";
  const token = readSmallFile(path)?.toString("utf8").trim();
  if (!token) throw new LocalizerError("config", `AWS_WEB_IDENTITY_TOKEN_FILE: ${path} does not exist or is empty`);
  redactor.hide(token);
  const url = new URL(env["AWS_ENDPOINT_URL_STS"] || env["AWS_ENDPOINT_URL"] || `https://sts.${region}.amazonaws.com/`);
  const form = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: env["AWS_ROLE_ARN"] ?? "",
    RoleSessionName: env["AWS_ROLE_SESSION_NAME"] || "kindling-localizer",
    WebIdentityToken: token,
  });
  const response = await transport.send({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/xml" },
    body: Buffer.from(form.toString()),
    ...(signal !== undefined && { signal }),
  });
  const text = await readText(response, transport, url, MOST_KEYS_BYTES);
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    "AccessKeyId",
    "SecretAccessKey",
    "SessionToken",
    "Expiration",
  ].map((name) => element(text, name));
  if (response.status === 200 && accessKeyId && secretAccessKey && sessionToken) {
    return {
      keys: { accessKeyId, secretAccessKey, sessionToken },
      seconds: secondsUntil(expiration, response.headers.date),
    };
  }
  const { status } = response;
  const code = element(text, "Code") ?? `HTTP status ${status}`;
  const words = refusalWords(element(text, "Message") ?? "", code, transport);
  throw new StagingError(status >= 500 ? "server" : "forbidden", `${url.host} gives no keys for the role: ${words}`, {
    status,
    retryable: status >= 500 || status === 429,
    hint: "check AWS_ROLE_ARN, and that the role trusts this service account",
  });
}

// Both services give keys for longer, unless told otherwise.
const SHORTEST_SECONDS = 900;

/** How long keys last, by the clock of the service that gave them: that of this node may be wrong. */
export function secondsUntil(expiration: string | undefined, date: string | undefined): number {
  const seconds = (Date.parse(expiration ?? "") - Date.parse(date ?? "")) / 1000;
  return seconds > 0 ? seconds : SHORTEST_SECONDS;
}
