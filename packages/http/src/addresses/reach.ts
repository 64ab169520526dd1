import type { ClientRequest } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { httpError, type HttpError } from "../errors/http-error.ts";
import { addressScope, type AddressScope } from "./address-scope.ts";

/**
 * The addresses that a request may reach if another server has named its host: `public` addresses only, also those of the
 * own `network`, or also this `machine`. Link-local addresses and metadata services are never in reach.
 */
export type Reach = "public" | "network" | "machine";

const SCOPES: Readonly<Record<Reach, readonly AddressScope[]>> = {
  public: ["public"],
  network: ["public", "private"],
  machine: ["public", "private", "loopback"],
};

export function isWithin(reach: Reach, address: string): boolean {
  return SCOPES[reach].includes(addressScope(address));
}

/** Resolves as usual, but refuses a name as soon as one of its addresses is out of reach. */
export function lookupWithin(reach: Reach): LookupFunction {
  // Loaded here and not above: a submission needs no such look-up, and should not wait for the module.
  const dns = process.getBuiltinModule("node:dns");
  return (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const outside = addresses?.find(({ address }) => !isWithin(reach, address));
      const [first] = addresses ?? [];
      if (error !== null) callback(error, "");
      else if (outside !== undefined) callback(outOfReach(hostname, outside.address), "");
      else if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

/** The error if a URL's host is an address (so that there is no look-up) and out of reach. */
export function literalOutOfReach(url: URL, reach: Reach): HttpError | undefined {
  const host = literalOf(url);
  return host !== undefined && !isWithin(reach, host) ? outOfReach(url.hostname, host) : undefined;
}

/** The error for a name that only a proxy would look up: its address is not known here. */
export function nameOutOfSight(url: URL): HttpError | undefined {
  if (literalOf(url) !== undefined) return undefined;
  const words = `${url.hostname} is behind a proxy, so its address is not known`;
  return httpError({ kind: "address", address: undefined }, url.hostname, words, {
    hint: `allow ${url.hostname} for redirects if that is right`,
  });
}

/**
 * Checks the address to which a request is really connected before its first byte is sent, whatever an earlier look-up
 * returned, and whichever request opened the connection.
 */
export function guardConnection(outgoing: ClientRequest, url: URL, reach: Reach): void {
  outgoing.prependOnceListener("socket", (socket) => {
    const check = (): void => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined || isWithin(reach, remoteAddress)) return;
      outgoing.destroy(outOfReach(url.hostname, remoteAddress));
    };
    if (socket.connecting) socket.prependOnceListener("connect", check);
    else check();
  });
}

function literalOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? undefined : host;
}

function outOfReach(host: string, address: string): HttpError {
  const words = `${host} is at ${address}, in a local network, to which no redirect may lead`;
  return httpError({ kind: "address", address }, host, words, { hint: `allow ${host} for redirects if that is right` });
}
