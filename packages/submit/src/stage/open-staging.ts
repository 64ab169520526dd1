import { KindlingError, messageOf, type ConfKey, type Redactor, type SparkConf } from "@kindling/core-spec";
import { environmentProxies } from "@kindling/http";
import {
  connectStaging,
  insecureUris,
  isStagingError,
  StagingError,
  type AuthenticationMode,
  type Authorization,
  type ConnectOptions,
  type StagingClient,
} from "@kindling/staging-client";
import { readSmallFile } from "../gather/files/read-small-file.ts";
import {
  STAGING_ALLOW_INSECURE,
  STAGING_CA_FILE,
  STAGING_CLIENT_CERT_FILE,
  STAGING_CLIENT_KEY_FILE,
  STAGING_TOKEN_FILE,
  STAGING_URI,
} from "../keys/staging-keys.ts";
import type { SubmitterToken } from "./submitter-token.ts";

/** Where the credentials for the staging server, and the proxies before it, may come from besides the configuration. */
export interface StagingCredentials {
  readonly env: (name: string) => string | undefined;
  /** Asked only where the server asks the cluster who somebody is, and nothing else is given. */
  readonly submitterToken: SubmitterToken;
  /** Learns the token that is used, since a server may repeat what it was sent. */
  readonly secrets: Redactor;
}

export interface OpenStaging {
  readonly client: StagingClient;
  readonly ca: string | undefined;
  /** How the server wants to know who somebody is. */
  readonly authentication: AuthenticationMode;
}

const TOKEN_VARIABLE = "KINDLING_STAGING_TOKEN";

// A server that is not there is no news to wait for; one that goes away later is waited for much longer.
const FIRST_CONTACT = { attempts: 3, baseMs: 300 };

/**
 * A client of the staging server that the configuration names, after a first exchange with it, which shows no
 * credentials.
 *
 * @throws KindlingError `CONF_MISSING` if it names none, `FILE_UNREADABLE` for a certificate or token that is not there,
 * StagingError if the server does not answer, or if credentials may not go to it
 */
export async function openStaging(
  conf: SparkConf,
  credentials: StagingCredentials,
  onRetry: (message: string) => void = () => {},
): Promise<OpenStaging> {
  const uri = conf.get(STAGING_URI);
  if (uri === undefined) {
    throw new KindlingError("CONF_MISSING", `no staging server is known`, { hint: `set ${STAGING_URI.key}` });
  }
  const ca = caOf(conf);
  const cert = readIfSet(conf, STAGING_CLIENT_CERT_FILE);
  const key = readIfSet(conf, STAGING_CLIENT_KEY_FILE);
  const server: ConnectOptions = {
    uri,
    tls: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    },
    allowInsecure: allowedUris(conf),
    proxies: environmentProxies(credentials.env),
  };
  const { secrets } = credentials;
  const given = givenToken(conf, credentials.env);
  if (given !== undefined) secrets.hide(given.replace(/^Bearer /, ""));
  const authentication = await authenticationMode(connect({ ...server, retry: FIRST_CONTACT }, given));
  const told = new Set<string>();
  const options: ConnectOptions = {
    ...server,
    onRetry({ message }) {
      if (!told.has(message)) onRetry(message);
      told.add(message);
    },
  };
  const minted = authentication === "kubernetes" ? bearerOf(credentials) : undefined;
  return { client: connect(options, given ?? minted), ca, authentication };
}

export function caOf(conf: SparkConf): string | undefined {
  return readIfSet(conf, STAGING_CA_FILE);
}

/** A client whose refusal to send credentials says which key allows it. */
function connect(options: ConnectOptions, authorization: Authorization | undefined): StagingClient {
  try {
    return connectStaging({ ...options, ...(authorization !== undefined && { authorization }) });
  } catch (error) {
    if (!isStagingError(error) || error.fault !== "insecure") throw error;
    const uri = new URL(options.uri).href;
    throw new StagingError("insecure", `a token is not sent to ${uri} over plain HTTP, where others can read it`, {
      hint: `use an https URI, or set ${STAGING_ALLOW_INSECURE.key}=${uri}`,
      cause: error,
    });
  }
}

function bearerOf({ submitterToken, secrets }: StagingCredentials): Authorization {
  return async (refused) => {
    const token = await submitterToken(refused?.replace(/^Bearer /, ""));
    secrets.hide(token);
    return `Bearer ${token}`;
  };
}

async function authenticationMode(client: StagingClient): Promise<AuthenticationMode> {
  try {
    return (await client.capabilities()).authentication;
  } finally {
    client.close();
  }
}

/** @throws KindlingError for a token that cannot be one; its text is not shown */
function givenToken(conf: SparkConf, env: (name: string) => string | undefined): string | undefined {
  const inFile = readIfSet(conf, STAGING_TOKEN_FILE)?.trim();
  const token = inFile ?? env(TOKEN_VARIABLE);
  if (token === undefined) return undefined;
  // What else there is cannot stand in a header field (RFC 9110, 5.5; RFC 6750, 2.1).
  if (/^[\x21-\x7e]+$/.test(token)) return `Bearer ${token}`;
  const where = inFile === undefined ? TOKEN_VARIABLE : STAGING_TOKEN_FILE.key;
  const what = token === "" ? "it is empty" : "it holds characters that no token has";
  throw new KindlingError("CONF_INVALID", `${where}: ${what}`);
}

function allowedUris(conf: SparkConf): readonly string[] {
  const uris = conf.get(STAGING_ALLOW_INSECURE);
  try {
    insecureUris(uris);
    return uris;
  } catch (error) {
    if (!isStagingError(error)) throw error;
    throw new KindlingError("CONF_INVALID", `${STAGING_ALLOW_INSECURE.key}: ${error.message}`, {
      ...(error.hint !== undefined && { hint: error.hint }),
      cause: error,
    });
  }
}

function readIfSet(conf: SparkConf, key: ConfKey<string | undefined>): string | undefined {
  const path = conf.get(key);
  if (path === undefined) return undefined;
  try {
    return readSmallFile(path).toString("utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${key.key}: ${messageOf(error)}`, { cause: error });
  }
}
