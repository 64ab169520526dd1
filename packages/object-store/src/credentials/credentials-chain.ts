import { readFile } from "node:fs/promises";
import { KindlingError, messageOf, parseProperties } from "@kindling/core-spec";
import type { Credentials } from "./sign-request.ts";
import { textOf } from "./s3-xml.ts";

/** Gives credentials that are valid now, fetched anew when they are about to end. */
export type CredentialSource = () => Promise<Credentials>;

export interface CredentialWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<string>;
  /** Milliseconds since the epoch: credentials end at a time of day. */
  readonly now: () => number;
  /** A plain HTTP exchange, answered with the body of a success. */
  readonly fetchText: (
    url: URL,
    options: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
  ) => Promise<string>;
}

interface Expiring {
  readonly credentials: Credentials;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

// Fetched again this long before their end, and files as often.
const MARGIN_MS = 5 * 60_000;
const FILE_MS = 60_000;

/**
 * Finds out where credentials for S3 come from: a file, the environment, a web identity (a Kubernetes service account
 * with a role), or the container's endpoint (EKS Pod Identity, ECS), in this order.
 *
 * @throws KindlingError `CONF_MISSING` if there is no such place
 */
export function s3Credentials(file: string | undefined, region: string, world: CredentialWorld): CredentialSource {
  const { env } = world;
  if (file !== undefined) return refreshing(world, () => fromFile(file, world));
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
    return () => Promise.resolve(credentials);
  }
  const { AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile, AWS_ROLE_ARN: role } = env;
  if (tokenFile !== undefined && role !== undefined) {
    return refreshing(world, () => fromWebIdentity(tokenFile, role, region, world));
  }
  const { AWS_CONTAINER_CREDENTIALS_FULL_URI: containerUri } = env;
  if (containerUri !== undefined) return refreshing(world, () => fromContainer(containerUri, world));
  throw new KindlingError("CONF_MISSING", "there are no credentials for S3", {
    hint: "set store.s3.credentialsFile, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the pod a role",
  });
}

function refreshing(world: CredentialWorld, fetch: () => Promise<Expiring>): CredentialSource {
  let current: Promise<Expiring> | undefined;
  let until = 0;
  return async () => {
    if (current === undefined || world.now() > until) {
      const fetching = fetch();
      current = fetching;
      // Meanwhile everybody waits for this one; a failure is not kept.
      until = Infinity;
      fetching.then(
        (expiring) => (until = expiring.until),
        () => {
          if (current === fetching) current = undefined;
        },
      );
    }
    return (await current).credentials;
  };
}

async function fromFile(path: string, world: CredentialWorld): Promise<Expiring> {
  let text: string;
  try {
    text = await world.readFile(path);
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `store.s3.credentialsFile: cannot read ${path}: ${messageOf(error)}`);
  }
  const { accessKeyId, secretAccessKey, sessionToken } = parseProperties(text);
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new KindlingError("FILE_UNPARSABLE", `${path} has no accessKeyId and secretAccessKey`);
  }
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  return { credentials, until: world.now() + FILE_MS };
}

/** AssumeRoleWithWebIdentity of AWS STS, which needs no signature. */
async function fromWebIdentity(
  tokenFile: string,
  role: string,
  region: string,
  world: CredentialWorld,
): Promise<Expiring> {
  const url = new URL(world.env["AWS_ENDPOINT_URL_STS"] ?? `https://sts.${region}.amazonaws.com/`);
  const body = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: role,
    RoleSessionName: "kindling-staging",
    WebIdentityToken: (await world.readFile(tokenFile)).trim(),
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const xml = await world.fetchText(url, { method: "POST", headers, body: body.toString() });
  return expiring({
    accessKeyId: textOf(xml, "AccessKeyId"),
    secretAccessKey: textOf(xml, "SecretAccessKey"),
    sessionToken: textOf(xml, "SessionToken"),
    expiration: textOf(xml, "Expiration"),
  });
}

async function fromContainer(uri: string, world: CredentialWorld): Promise<Expiring> {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = world.env;
  const authorization = tokenFile === undefined ? token : (await world.readFile(tokenFile)).trim();
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const answer = JSON.parse(await world.fetchText(new URL(uri), { method: "GET", headers })) as Record<string, string>;
  return expiring({
    accessKeyId: answer["AccessKeyId"],
    secretAccessKey: answer["SecretAccessKey"],
    sessionToken: answer["Token"],
    expiration: answer["Expiration"],
  });
}

function expiring(
  answer: Readonly<Record<"accessKeyId" | "secretAccessKey" | "sessionToken" | "expiration", string | undefined>>,
): Expiring {
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = answer;
  const end = Date.parse(expiration ?? "");
  if (accessKeyId === undefined || secretAccessKey === undefined || Number.isNaN(end)) {
    throw new KindlingError("CLUSTER_UNAUTHENTICATED", "the endpoint for credentials answered without any");
  }
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  return { credentials, until: end - MARGIN_MS };
}

/** The file system and the environment as they are. */
export function credentialFiles(): Pick<CredentialWorld, "readFile"> {
  return { readFile: (path) => readFile(path, "utf8") };
}
