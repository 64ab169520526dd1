import { BlockList, isIP } from "node:net";
import { KindlingError } from "@kindling/core-spec";

/**
 * The client that an address stands for, when clients are counted by address. An IPv4 address is one client, also if it is
 * written as IPv6. For IPv6 it is the first 64 bits, because a client with one address of such a network has all of them (RFC
 * 6177). Some proxies pass on an address with its port; the port is ignored. All texts that are not addresses count as one
 * client together.
 */
export function clientOfAddress(text: string): string {
  const address = withoutPort(text);
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  switch (isIP(address)) {
    case 4:
      return address;
    case 6:
      return `${ipv6Groups(address).slice(0, 4).join(":")}::/64`;
    default:
      return "unknown";
  }
}

/** `192.0.2.1:1234` and `[2001:db8::1]:1234` without the port. */
function withoutPort(text: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/.exec(text) ?? [];
  return v4 ?? v6 ?? text;
}

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
export function ipv6Groups(address: string): readonly string[] {
  const [head = "", tail] = withoutIpv4(address.replace(/%.*$/, "")).split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...after];
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}

/** `::ffff:1.2.3.4` with its last part as two groups. */
function withoutIpv4(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

/**
 * Recognises the addresses of proxies by the configured networks.
 *
 * @param networks such as `10.0.0.0/8`, or single addresses
 * @throws KindlingError `CONF_INVALID`
 */
export function proxyAddresses(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits, ...rest] = network.split("/");
    const version = isIP(address);
    const family = version === 6 ? "ipv6" : "ipv4";
    const widest = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? widest : Number(bits);
    if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? "0") || prefix > widest) {
      throw new KindlingError("CONF_INVALID", `listen.trustedProxies: ${JSON.stringify(network)} is no network`, {
        hint: "write it as 10.0.0.0/8 or fd00::/8",
      });
    }
    list.addSubnet(address, prefix, family);
  }
  return (address) => {
    const client = /^::ffff:\d/i.test(address) ? address.slice("::ffff:".length) : address;
    const version = isIP(client);
    return version !== 0 && list.check(client, version === 6 ? "ipv6" : "ipv4");
  };
}
