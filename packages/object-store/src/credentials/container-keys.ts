import { readText, StagingError, type HttpTransport } from "@kindling/staging-client";
import type { Environment } from "../../config/environment.ts";
import type { LocalizeOptions } from "../../localize-options.ts";
import { readSmallFile } from "../../read-small-file.ts";
import { LocalizerError } from "../../report/localizer-error.ts";
import type { TemporaryKeys } from "./aws-keys.ts";
import { MOST_KEYS_BYTES, secondsUntil } from "./web-identity-keys.ts";

// Hosts that may be asked without TLS: this one, ECS, and EKS Pod Identity (AWS SDKs, "Container credential provider").
const PLAIN_HOSTS: ReadonlySet<string> = new Set([
  "localhost",
  "127.0.0.1",
  "[::1]",
  "169.254.170.2",
  "169.254.170.23",
  "[fd00:ec2::23]",
]);

/** Keys from the service that the platform runs beside the container. */
export async function containerKeys(
  env: Environment,
  transport: HttpTransport,
  { redactor }: LocalizeOptions,
  signal: AbortSignal | undefined,
): Promise<TemporaryKeys> {
  const relative = env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  const address = relative ? `http://169.254.170.2${relative}` : env["AWS_CONTAINER_CREDENTIALS_FULL_URI"];
  if (address === undefined || !URL.canParse(address)) {
    throw new LocalizerError("config", "AWS_CONTAINER_CREDENTIALS_FULL_URI is no URI");
  }
  const url = new URL(address);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && PLAIN_HOSTS.has(url.hostname))) {
    throw new LocalizerError("config", `AWS_CONTAINER_CREDENTIALS_FULL_URI is at ${url.host} without TLS`);
  }
  const token = authorizationToken(env);
  if (token !== undefined) redactor.hide(token);
  const response = await transport.send({
    method: "GET",
    url,
    headers: { accept: "application/json", ...(token !== undefined && { authorization: token }) },
    ...(signal !== undefined && { signal }),
  });
  const text = await readText(response, transport, url, MOST_KEYS_BYTES);
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = parse(text);
  if (response.status === 200 && AccessKeyId !== undefined && SecretAccessKey !== undefined) {
    return {
      keys: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token },
      seconds: secondsUntil(Expiration, response.headers.date),
    };
  }
  const { status } = response;
  throw new StagingError(status >= 500 ? "server" : "forbidden", `${url.host} gives no keys: HTTP status ${status}`, {
    status,
    retryable: status >= 500 || status === 429,
    hint: "check the pod's identity association",
  });
}

function authorizationToken(env: Environment): string | undefined {
  const file = env["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  if (!file) return env["AWS_CONTAINER_AUTHORIZATION_TOKEN"] || undefined;
  const token = readSmallFile(file)?.toString("latin1").trim();
  if (!token)
    throw new LocalizerError("config", `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: ${file} does not exist or is empty`);
  return token;
}

function parse(text: string): Readonly<Record<string, string | undefined>> {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document !== "object" || document === null) return {};
    return Object.fromEntries(Object.entries(document).filter(([, value]) => typeof value === "string")) as Record<
      string,
      string
    >;
  } catch {
    return {};
  }
}
