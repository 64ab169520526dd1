import type { Server } from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import { KindlingError, messageOf } from "@kindling/core-spec";

/** Where a service listens, by the names of its settings. */
export interface ListenSettings {
  readonly "listen.host": string;
  readonly "listen.port": number;
  readonly "admin.host": string;
  readonly "admin.port": number;
}

/**
 * Makes a server listen as the settings say.
 *
 * @returns the port
 * @throws KindlingError `CONF_INVALID` that names the settings
 */
export async function listening(
  config: ListenSettings,
  which: "listen" | "admin",
  start: (host: string, port: number) => Promise<number>,
): Promise<number> {
  return await listeningAt({ host: config[`${which}.host`], port: config[`${which}.port`] }, which, start);
}

/**
 * The same for any place.
 *
 * @param which the beginning of the names of its two settings
 * @throws KindlingError `CONF_INVALID`
 */
export async function listeningAt(
  { host, port }: { readonly host: string; readonly port: number },
  which: string,
  start: (host: string, port: number) => Promise<number>,
): Promise<number> {
  try {
    return await start(host, port);
  } catch (error) {
    const message = `cannot listen on ${host}:${port}: ${messageOf(error)}`;
    throw new KindlingError("CONF_INVALID", message, {
      hint: `change ${which}.host or ${which}.port`,
      cause: error,
    });
  }
}

/** Starts to listen; the result is the port, which is useful if any free port was requested. */
export async function listen(server: NetServer, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Closes a server with all of its connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** The base URI of a server, as reached from this machine. */
export function uriOf(scheme: string, host: string, port: number): string {
  const anywhere = host === "0.0.0.0" || host === "::";
  const shown = anywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${scheme}://${shown}:${port}/`;
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
