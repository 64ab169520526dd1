import type { Redactor } from "@kindling/core-spec";
import { environmentProxies } from "@kindling/http";
import { serviceTransport, serviceUrl, type ClusterAccess } from "@kindling/kube";
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
import { STAGING_ALLOW_INSECURE, STAGING_URI } from "../keys/staging-keys.ts";
import type { ServiceOfCluster } from "../keys/service-uri.ts";
import { parseStagingService } from "../keys/staging-place.ts";
import { USER_AGENT } from "../version.ts";
import type { AccountToken } from "../cluster/account-token.ts";

/** The credentials for the staging server. */
export interface StagingCredentials {
  /** Called only if the server asks the cluster who the submitter is and no other credentials are given. */
  readonly submitterToken: AccountToken;
  /** Receives the token that is used, because a server may repeat what it was sent. */
  readonly secrets: Redactor;
  /** Called only if the server is reached through the API server. */
  readonly cluster: () => ClusterAccess | Promise<ClusterAccess>;
}

export interface OpenStaging {
  readonly client: StagingClient;
  /** How the server authenticates submitters. */
  readonly authentication: AuthenticationMode;
}

// If the server does not answer at first, that is reported soon; a server that stops answering later is waited for much
// longer.
const FIRST_CONTACT = { attempts: 3, baseMs: 300 };

/**
 * A client of a staging server, after a first request without credentials.
 *
 * @throws StagingError if the server does not answer, or if credentials may not be sent to it
 */
export async function openStaging(
  access: StagingAccess,
  credentials: StagingCredentials,
  onRetry: (message: string) => void = () => {},
): Promise<OpenStaging> {
  const { uri, ca, cert, key, token, allowInsecure, env } = access;
  const service = parseStagingService(uri);
  const cluster = service === undefined ? undefined : await credentials.cluster();
  // Each client closes its own connection.
  const server = (): ConnectOptions => ({
    ...(service !== undefined && cluster !== undefined
      ? throughApiServer(service, cluster)
      : {
          uri,
          tls: {
            ...(ca !== undefined && { ca }),
            ...(cert !== undefined && { cert }),
            ...(key !== undefined && { key }),
          },
          proxies: environmentProxies(env),
        }),
    allowInsecure,
  });
  if (token !== undefined) credentials.secrets.hide(token);
  const given = token === undefined ? undefined : `Bearer ${token}`;
  const authentication = await authenticationMode(connect({ ...server(), retry: FIRST_CONTACT }, given), service);
  const told = new Set<string>();
  const options: ConnectOptions = {
    ...server(),
    onRetry({ message }) {
      if (!told.has(message)) onRetry(message);
      told.add(message);
    },
  };
  const minted = authentication === "kubernetes" ? bearerOf(credentials) : undefined;
  return { client: connect(options, given ?? minted), authentication };
}

// The same limits as for the staging client's own connections.
const LIMITS = { maxConnections: 8, connectTimeoutMs: 10_000, stallTimeoutMs: 30_000, answerTimeoutMs: 300_000 };

/**
 * Through the API server's proxy, with the API server's credentials; the staging server's own credentials go in a separate
 * header field.
 */
function throughApiServer(service: ServiceOfCluster, cluster: ClusterAccess): ConnectOptions {
  return {
    uri: serviceUrl(cluster, { ...service, scheme: "https" }).href,
    http: serviceTransport(cluster, { ...LIMITS, userAgent: USER_AGENT }),
    credentialsField: "kindling-authorization",
  };
}

/** A client that names the key that allows sending credentials, if it refuses to send them. */
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

async function authenticationMode(
  client: StagingClient,
  service: ServiceOfCluster | undefined,
): Promise<AuthenticationMode> {
  try {
    return (await client.capabilities()).authentication;
  } catch (error) {
    throw service !== undefined && isStagingError(error) ? onTheWay(error, service) : error;
  } finally {
    client.close();
  }
}

/** The same error. If the API server did not forward the request, a hint says what allows it. */
function onTheWay(error: StagingError, { namespace, name, port }: ServiceOfCluster): StagingError {
  const { fault, message, status, problem } = error;
  const hint = problem === undefined && status !== undefined ? HINTS[status] : undefined;
  if (hint === undefined || status === undefined) return error;
  return new StagingError(fault, message, { status, hint: hint(namespace, name, port), cause: error });
}

const HINTS: Readonly<Record<number, (namespace: string, name: string, port: string) => string>> = {
  403: (namespace, name, port) =>
    `let an administrator grant it: kubectl -n ${namespace} create role kindling-staging-users ` +
    `--verb=get,create,update,patch,delete --resource=services/proxy --resource-name=https:${name}:${port}, and a binding`,
  404: (namespace, name) => `there is no service ${name} in namespace ${namespace}: correct ${STAGING_URI.key}`,
  503: (namespace, name) =>
    `check that the staging server runs: kubectl -n ${namespace} get endpointslices -l kubernetes.io/service-name=${name}`,
};
