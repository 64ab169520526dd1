import { KindlingError, messageOf, type ConfKey, type SparkConf } from "@kindling/core-spec";
import { insecureUris, isStagingError } from "@kindling/staging-client";
import type { Clock, Env } from "@kindling/outside";
import {
  STAGING_ALLOW_INSECURE,
  STAGING_AUDIENCE,
  STAGING_CA_FILE,
  STAGING_CLIENT_CERT_FILE,
  STAGING_CLIENT_KEY_FILE,
  STAGING_SERVICE_ACCOUNT,
  STAGING_TOKEN_FILE,
  STAGING_URI,
} from "../../keys/staging-keys.ts";
import type { Installation } from "../installation/installation.ts";
import { readSmallFile } from "../files/read-small-file.ts";

/** How to reach a staging server, and with which credentials. Plain data; it holds secrets. */
export interface StagingAccess {
  readonly uri: string;
  /** CA certificates in PEM for the server. */
  readonly ca: string | undefined;
  /** A client certificate in PEM, and its key. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** A bearer token. Without one, a server that asks the cluster gets a token of the service account below. */
  readonly token: string | undefined;
  /** URIs of servers to which tokens may go over plain HTTP. */
  readonly allowInsecure: readonly string[];
  readonly serviceAccount: string;
  /** The audience of that account's tokens. */
  readonly audience: string;
  /** The environment in which proxies are looked for. */
  readonly env: Env;
}

const TOKEN_VARIABLE = "KINDLING_STAGING_TOKEN";

/**
 * Reads how to reach the staging server in the configuration. If an installation names the server, it does not get the token
 * that the submitter has for another server: otherwise the writer of the installation's ConfigMap would get that token.
 *
 * @param installation the one with this staging server
 * @throws KindlingError `CONF_MISSING` if no server is named, `FILE_UNREADABLE` if a certificate or token does not exist,
 *   `CONF_INVALID` for an invalid token
 */
export function stagingAccess(
  conf: SparkConf,
  env: Env,
  clock: Clock,
  installation?: Pick<Installation, "ca">,
): StagingAccess {
  const uri = conf.get(STAGING_URI);
  if (uri === undefined) {
    throw new KindlingError("CONF_MISSING", `no staging server is known`, { hint: `set ${STAGING_URI.key}` });
  }
  return {
    uri,
    ca: stagingCa(conf, clock, installation),
    cert: readIfSet(conf, STAGING_CLIENT_CERT_FILE, clock),
    key: readIfSet(conf, STAGING_CLIENT_KEY_FILE, clock),
    token: installation === undefined ? givenToken(conf, env, clock) : undefined,
    allowInsecure: allowedUris(conf),
    serviceAccount: conf.get(STAGING_SERVICE_ACCOUNT),
    audience: conf.get(STAGING_AUDIENCE),
    env,
  };
}

/** The CA certificates for the staging server; pods get them too. */
export function stagingCa(conf: SparkConf, clock: Clock, installation?: Pick<Installation, "ca">): string | undefined {
  return readIfSet(conf, STAGING_CA_FILE, clock) ?? installation?.ca;
}

/** The notice about a token that an installation's staging server does not get; `undefined` if there is none. */
export function tokenKept(conf: SparkConf, env: Env): string | undefined {
  const where = conf.raw(STAGING_TOKEN_FILE.key) !== undefined ? STAGING_TOKEN_FILE.key : TOKEN_VARIABLE;
  if (where === TOKEN_VARIABLE && env[TOKEN_VARIABLE] === undefined) return undefined;
  return `${where} is not sent to the installation's staging server; for that, set ${STAGING_URI.key}=${conf.get(STAGING_URI) ?? ""}`;
}

/** @throws KindlingError for an invalid token; its text is not shown */
function givenToken(conf: SparkConf, env: Env, clock: Clock): string | undefined {
  const inFile = readIfSet(conf, STAGING_TOKEN_FILE, clock)?.trim();
  const token = inFile ?? env[TOKEN_VARIABLE];
  if (token === undefined) return undefined;
  // Other characters cannot be in a header field (RFC 9110, 5.5; RFC 6750, 2.1).
  if (/^[\x21-\x7e]+$/.test(token)) return token;
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

function readIfSet(conf: SparkConf, key: ConfKey<string | undefined>, clock: Clock): string | undefined {
  const path = conf.get(key);
  if (path === undefined) return undefined;
  try {
    return readSmallFile(path, clock).toString("utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${key.key}: ${messageOf(error)}`, { cause: error });
  }
}
