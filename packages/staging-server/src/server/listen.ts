import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { ServerConfig } from "../config/server-config.ts";

/** @throws KindlingError `CONF_INVALID` for an address that cannot be used */
export async function listen(server: Server, config: ServerConfig, which: "listen" | "admin"): Promise<void> {
  const host = config[`${which}.host`];
  const port = config[`${which}.port`];
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const message = `cannot listen on ${host}:${port}: ${messageOf(error)}`;
      reject(
        new KindlingError("CONF_INVALID", message, { hint: `change ${which}.host or ${which}.port`, cause: error }),
      );
    });
    server.listen({ host, port }, resolve);
  });
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** As reached from this machine. */
export function uriOf(server: Server, scheme: string): string {
  const { address, port, family } = server.address() as AddressInfo;
  const anywhere = address === "0.0.0.0" || address === "::";
  const host = anywhere ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `${scheme}://${host}:${port}/`;
}
