import type { Redactor } from "@kindling/core-spec";
import { environmentProxies } from "@kindling/http";
import {
  connectStaging,
  isStagingError,
  StagingError,
  type AuthenticationMode,
  type Authorization,
  type ConnectOptions,
  type StagingClient,
} from "@kindling/staging-client";
import type { StagingAccess } from "../gather/staging/staging-access.ts";
import { STAGING_ALLOW_INSECURE } from "../keys/staging-keys.ts";
import type { SubmitterToken } from "./submitter-token.ts";

/** Whom to be at the staging server. */
export interface StagingCredentials {
  /** Asked only where the server asks the cluster who somebody is, and nothing else is given. */
  readonly submitterToken: SubmitterToken;
  /** Learns the token that is used, since a server may repeat what it was sent. */
  readonly secrets: Redactor;
}

export interface OpenStaging {
  readonly client: StagingClient;
  /** How the server wants to know who somebody is. */
  readonly authentication: AuthenticationMode;
}

// A server that is not there is no news to wait for; one that goes away later is waited for much longer.
const FIRST_CONTACT = { attempts: 3, baseMs: 300 };

/**
 * A client of a staging server, after a first exchange with it, which shows no credentials.
 *
 * @throws StagingError if the server does not answer, or if credentials may not go to it
 */
export async function openStaging(
  access: StagingAccess,
  credentials: StagingCredentials,
  onRetry: (message: string) => void = () => {},
): Promise<OpenStaging> {
  const { uri, ca, cert, key, token, allowInsecure, env } = access;
  const server: ConnectOptions = {
    uri,
    tls: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    },
    allowInsecure,
    proxies: environmentProxies(env),
  };
  if (token !== undefined) credentials.secrets.hide(token);
  const given = token === undefined ? undefined : `Bearer ${token}`;
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
  return { client: connect(options, given ?? minted), authentication };
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
