import * as dns from "node:dns";
import { BlockList, type LookupFunction } from "node:net";
import { StagingError } from "../errors.ts";

// What the IANA registries of special-purpose addresses (RFC 6890) do not call globally reachable, as far as it can be
// reached at all from where this runs: this host, link-local (cloud metadata), private, shared and multicast networks.
const LOCAL_V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const;
const LOCAL_V6 = [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;

/** Whether an IP address belongs to nobody's own network. IPv4 addresses mapped into IPv6 count as what they are. */
export function isPublicAddress(address: string, family: 4 | 6): boolean {
  const local = new BlockList();
  for (const [network, prefix] of LOCAL_V4) local.addSubnet(network, prefix, "ipv4");
  for (const [network, prefix] of LOCAL_V6) local.addSubnet(network, prefix, "ipv6");
  return !local.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** Resolves as usual, but refuses a name that leads into a local network. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, "");
      return;
    }
    const local = addresses.find(({ address, family }) => !isPublicAddress(address, family === 6 ? 6 : 4));
    const [first] = addresses;
    if (local !== undefined || first === undefined) {
      const message = `${hostname} is at ${local?.address ?? "no address"}, in a local network, where no redirect may lead`;
      callback(new StagingError("redirect", message, { hint: `allow ${hostname} for redirects if that is right` }), "");
    } else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
