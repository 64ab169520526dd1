import * as dns from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { httpError } from "@kindling/http";

// RFC 6890: a packet to these addresses never leaves the machine.
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether a text is a loopback address of this machine; false for anything else, also for a name. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  // An IPv4 address that is mapped into IPv6 does not count, because its text is in neither network.
  return family !== 0 && !/^::ffff:/i.test(address) && LOOPBACK.check(address, family === 4 ? "ipv4" : "ipv6");
}

/**
 * Resolves names as usual, but accepts only loopback addresses of this machine, whatever a hosts file or a name server
 * says about `localhost`. Other addresses are an HttpError `address`.
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
