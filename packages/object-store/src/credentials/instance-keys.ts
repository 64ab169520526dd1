import { isObjectStoreError, ObjectStoreError } from "../object-store-error.ts";
import type { CredentialsContext, KeySource } from "./aws-keys.ts";
import { askForKeys, parseKeys, refusedKeys, type KeyAnswer } from "./ask-for-keys.ts";

// The service is on the same machine, or there is none.
const TIME_LIMIT_MS = 1_000;
const SESSION_SECONDS = 21_600;
const ROLES = "latest/meta-data/iam/security-credentials/";

const PLAIN_HOSTS: ReadonlySet<string> = new Set([
  "localhost",
  "127.0.0.1",
  "[::1]",
  "169.254.169.254",
  "[fd00:ec2::254]",
]);

/**
 * Keys of the machine's role from its metadata service, only by version 2. It needs a session that begins with a PUT, so
 * that a server that can be tricked into fetching URLs does not reveal the keys (Amazon EC2 User Guide, "Use IMDSv2").
 */
export const instanceKeys: KeySource = {
  name: "the machine's metadata service",
  async lend(context) {
    const service = serviceUrl(context);
    if (service === undefined) return undefined;
    const session = await beginSession(service, context);
    if (session === undefined) return undefined;
    const get = (path: string): Promise<KeyAnswer> =>
      askForKeys(context, {
        method: "GET",
        url: new URL(path, service),
        headers: { "x-aws-ec2-metadata-token": session },
        nearby: true,
        timeLimitMs: TIME_LIMIT_MS,
      });
    const roles = await get(ROLES);
    // The machine has no role.
    if (roles.status === 404) return undefined;
    const [role = ""] = roles.text.trim().split("\n");
    if (roles.status !== 200 || role === "") throw refusedKeys(context, `${service.host} names no role`, roles.status);
    const answer = await get(ROLES + encodeURIComponent(role));
    const lent = parseKeys(answer, context.clock);
    if (lent !== undefined) return lent;
    throw refusedKeys(context, `${service.host} gives no keys for the machine's role`, answer.status);
  },
};

function serviceUrl({ env }: CredentialsContext): URL | undefined {
  if (env["AWS_EC2_METADATA_DISABLED"]?.toLowerCase() === "true") return undefined;
  const isIPv6 = env["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"]?.toLowerCase() === "ipv6";
  const usual = isIPv6 ? "http://[fd00:ec2::254]/" : "http://169.254.169.254/";
  const address = env["AWS_EC2_METADATA_SERVICE_ENDPOINT"] || usual;
  if (!URL.canParse(address)) {
    throw new ObjectStoreError("settings", "AWS_EC2_METADATA_SERVICE_ENDPOINT is no URI");
  }
  const url = new URL(address.endsWith("/") ? address : `${address}/`);
  if (url.protocol === "https:" || (url.protocol === "http:" && PLAIN_HOSTS.has(url.hostname))) return url;
  throw new ObjectStoreError("settings", `AWS_EC2_METADATA_SERVICE_ENDPOINT is at ${url.host} without TLS`);
}

/** `undefined` if there is no such service: this machine is not in EC2, or its service is not open to containers. */
async function beginSession(service: URL, context: CredentialsContext): Promise<string | undefined> {
  try {
    const { status, text } = await askForKeys(context, {
      method: "PUT",
      url: new URL("latest/api/token", service),
      headers: { "x-aws-ec2-metadata-token-ttl-seconds": String(SESSION_SECONDS) },
      nearby: true,
      timeLimitMs: TIME_LIMIT_MS,
    });
    const session = text.trim();
    // A text that cannot be in a header field is no session (RFC 9110, 5.5): then something else answers at that address.
    if (status !== 200 || !/^[\x21-\x7e]{1,8192}$/.test(session)) return undefined;
    context.hide?.(session);
    return session;
  } catch (error) {
    if (isObjectStoreError(error) && error.fault === "unreachable") return undefined;
    throw error;
  }
}
