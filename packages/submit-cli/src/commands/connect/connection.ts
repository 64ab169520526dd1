import { KindlingError } from "@kindling/core-spec";
import {
  type ConnectAddress,
  formatConnectAddress,
  isOfThisMachine,
  usesTls,
  withParameters,
} from "./connect-address.ts";
import type { ConnectToken } from "./connect-token.ts";

/** What a client of Spark Connect needs. */
export interface Connection {
  /** Without any token. */
  readonly address: ConnectAddress;
  readonly token: ConnectToken | undefined;
  /** The file of the certificates that clients must trust; `undefined` if they know the server's already. */
  readonly roots: string | undefined;
}

/** The profile and the queue of the sessions, as clients name them. */
export interface Wishes {
  readonly profile: string | undefined;
  readonly queue: string | undefined;
}

/** Clients of all versions and languages send these fields along. */
export function withWishes(address: ConnectAddress, { profile, queue }: Wishes): ConnectAddress {
  return withParameters(address, { "x-profile": profile, "x-queue": queue });
}

/** The fields of an address that hold a token. */
const SECRET_PARAMETERS = ["token", "authorization"] as const;

/** What may not be shown of an address that somebody else has written. */
export function secretsOf({ parameters }: ConnectAddress): readonly string[] {
  return SECRET_PARAMETERS.flatMap((name) => parameters[name] ?? []);
}

/**
 * The address with the token, as clients read it.
 *
 * @throws KindlingError `CONF_CONFLICT` if the token would travel in clear text
 */
function authorized({ address, token }: Connection): ConnectAddress {
  if (token === undefined) return address;
  if (!usesTls(address) && isOfThisMachine(address)) {
    // With `token`, clients before Spark 4.0 would use TLS. Fields that they do not know they send along as they are.
    return withParameters(address, { authorization: `Bearer ${token.token}` });
  }
  if (address.parameters["use_ssl"] !== undefined && !usesTls(address)) {
    throw new KindlingError("CONF_CONFLICT", "a token is sent with TLS only, and the address says use_ssl=false", {
      hint: "write use_ssl=true, or leave the token out",
    });
  }
  return withParameters(address, { use_ssl: "true", token: token.token });
}

/** The variables that clients look at. */
export function variablesOf(connection: Connection): Readonly<Record<string, string>> {
  const { roots } = connection;
  return {
    SPARK_REMOTE: formatConnectAddress(authorized(connection)),
    ...(roots !== undefined && { GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: roots }),
  };
}

/** Commands that set these variables in a POSIX shell, and in fish. A semicolon follows each, because shells may join lines. */
export function shellText(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}';\n`)
    .join("");
}

/** The version of the output of these commands for programs. */
export const CONNECT_VERSION = "connect.kindling/v1";

/** The same for programs, with the parts that some want one by one. It holds the token. */
export function connectionDocument(connection: Connection): object {
  const { address, token } = connection;
  return {
    ...{ apiVersion: CONNECT_VERSION, kind: "Connection" },
    address: formatConnectAddress(address),
    ...{ host: address.host, port: address.port, useSsl: usesTls(authorized(connection)) },
    profile: address.parameters["x-profile"],
    queue: address.parameters["x-queue"],
    token: token?.token,
    user: token?.owner,
    expires: token?.expires,
    environment: variablesOf(connection),
  };
}
