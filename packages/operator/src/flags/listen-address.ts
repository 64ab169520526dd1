export interface ListenAddress {
  /** Empty for all addresses of the machine, IPv4 and IPv6. */
  readonly host: string;
  readonly port: number;
}

/**
 * Reads an address as Go writes it: `:8081`, `127.0.0.1:8081`, `[::1]:8081`.
 *
 * @returns undefined if the text is no address
 */
export function listenAddress(text: string): ListenAddress | undefined {
  const [, ipv6, name = "", port = ""] = /^(?:\[([^\]]*)\]|([^:/]*)):(\d{1,5})$/.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535) return undefined;
  return { host: ipv6 ?? name, port: Number(port) };
}

/** What the value of a flag for a listen address has to be. */
export const LISTEN_ADDRESS_WANTED = "an address such as :8081 or 127.0.0.1:8081, or 0 for none";
