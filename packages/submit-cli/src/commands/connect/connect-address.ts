import { KindlingError, SPARK_CONNECT_PORT } from "@kindling/core-spec";

/** Where Spark Connect is served, and what clients send along (Spark, sql/connect/docs/client-connection-string.md). */
export interface ConnectAddress {
  readonly host: string;
  readonly port: number;
  /** By name; their values are not encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

const SCHEME = "sc://";
const NAME = /^[\w.-]+$/;

/**
 * Reads `sc://HOST:PORT/;NAME=VALUE;…`. Errors do not show the text, because it may have a token.
 *
 * @param where what has the text, for errors
 * @throws KindlingError `CONF_INVALID`
 */
export function parseConnectAddress(text: string, where: string): ConnectAddress {
  const [, host = "", port, rest = ""] =
    /^sc:\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?(?:;(.*))?$/i.exec(text) ?? [];
  const number = port === undefined ? SPARK_CONNECT_PORT : Number(port);
  if (host === "" || number < 1 || number > 65_535) throw unfit(where, "it is no address of Spark Connect");
  const parameters = new Map<string, string>();
  for (const part of rest.split(";")) {
    if (part === "") continue;
    const [name = "", value, ...more] = part.split("=");
    if (!NAME.test(name) || value === undefined || more.length > 0)
      throw unfit(where, "what follows a ; must be NAME=VALUE, with %3D for a = in the value");
    parameters.set(name, decoded(value, where));
  }
  return { host, port: number, parameters: Object.fromEntries(parameters) };
}

/** Writes an address as all clients read it. */
export function formatConnectAddress({ host, port, parameters }: ConnectAddress): string {
  const parts = Object.entries(parameters).map(([name, value]) => `;${name}=${encoded(value)}`);
  return `${SCHEME}${host}:${port}/${parts.join("")}`;
}

/** The same address with more parameters; `undefined` adds none. */
export function withParameters(
  address: ConnectAddress,
  more: Readonly<Record<string, string | undefined>>,
): ConnectAddress {
  const given = Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { ...address, parameters: { ...address.parameters, ...Object.fromEntries(given) } };
}

/** Whether clients use TLS for this address: PySpark reads the word in any case. */
export function usesTls({ parameters }: ConnectAddress): boolean {
  return parameters["use_ssl"]?.toLowerCase() === "true";
}

/** Whether only this machine can be meant. */
export function isOfThisMachine({ host }: ConnectAddress): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i.test(host);
}

/** Quotes have a meaning in shells, and clients split at the first `=` and at each `;`. */
function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll("'", "%27");
}

function decoded(value: string, where: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw unfit(where, "a value has a % that is not followed by two digits");
  }
}

function unfit(where: string, fault: string): KindlingError {
  return new KindlingError("CONF_INVALID", `${where}: ${fault}`, {
    hint: `write it as ${SCHEME}HOST:PORT, or as ${SCHEME}HOST:PORT/;use_ssl=true;x-profile=NAME`,
  });
}
