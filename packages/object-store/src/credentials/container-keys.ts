import { ObjectStoreError } from "../object-store-error.ts";
import type { CredentialsContext, KeySource } from "./aws-keys.ts";
import { askForKeys, parseKeys, refusedKeys } from "./ask-for-keys.ts";
import { readToken } from "./read-token.ts";

// Hosts that may be used without TLS: this machine, ECS, and EKS Pod Identity (AWS SDKs, "Container credential
// provider").
const PLAIN_HOSTS: ReadonlySet<string> = new Set([
  "localhost",
  "127.0.0.1",
  "[::1]",
  "169.254.170.2",
  "169.254.170.23",
  "[fd00:ec2::23]",
]);

/** Keys from the service that the platform runs beside the container. */
export const containerKeys: KeySource = {
  name: "the container's own service",
  async lend(context) {
    const { env } = context;
    const relative = env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
    const address = relative ? `http://169.254.170.2${relative}` : env["AWS_CONTAINER_CREDENTIALS_FULL_URI"];
    if (!address) return undefined;
    const token = await authorizationToken(context);
    const answer = await askForKeys(context, {
      method: "GET",
      url: serviceUrl(address),
      headers: { accept: "application/json", ...(token !== undefined && { authorization: token }) },
      nearby: true,
    });
    const lent = parseKeys(answer, context.clock);
    if (lent !== undefined) return lent;
    throw refusedKeys(context, `${answer.url.host} gives no keys`, answer.status, {
      hint: "check the pod's identity association",
    });
  },
};

function serviceUrl(address: string): URL {
  if (!URL.canParse(address)) {
    throw new ObjectStoreError("settings", "AWS_CONTAINER_CREDENTIALS_FULL_URI is no URI");
  }
  const url = new URL(address);
  if (url.protocol === "https:" || (url.protocol === "http:" && PLAIN_HOSTS.has(url.hostname))) return url;
  throw new ObjectStoreError("settings", `AWS_CONTAINER_CREDENTIALS_FULL_URI is at ${url.host} without TLS`);
}

async function authorizationToken(context: CredentialsContext): Promise<string | undefined> {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = context.env;
  if (file) return await readToken("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file, context);
  if (!token) return undefined;
  context.hide?.(token);
  return token;
}
