import * as dns from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { httpError } from "@kindling/http";

// RFC 6890: what a packet to these addresses reaches never leaves the machine.
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether an IP address is one of this machine itself. Anything else, a name too, is not. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  // An IPv4 address that is mapped into IPv6 is of neither network as it is written.
  return family !== 0 && !/^::ffff:/i.test(address) && LOOPBACK.check(address, family === 4 ? "ipv4" : "ipv6");
}

/**
 * Resolves names as usual, and leads only to addresses of this machine: whatever a hosts file or a name server makes of
 * `localhost`. Others are an HttpError `address`.
 *
 * @param lookup the system's resolver
 */
export function loopbackLookup(lookup: typeof dns.lookup = dns.lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, "");
        return;
      }
      const own = addresses.filter(({ address }) => isLoopbackAddress(address));
      const [first] = own;
      if (first === undefined) {
        const found = addresses.map(({ address }) => address).join(", ");
        const words = `${hostname} is at ${found === "" ? "no address" : found}, which is not this machine itself`;
        const hint = "write the address itself, or an https URI";
        callback(httpError({ kind: "address", address: found }, hostname, words, { hint }), "");
      } else if (options.all === true) callback(null, own);
      else callback(null, first.address, first.family);
    });
  };
}
