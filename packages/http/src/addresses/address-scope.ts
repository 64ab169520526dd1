import { BlockList } from "node:net";

/**
 * The kind of network that an IP address belongs to.
 *
 * - `public`: reachable from anywhere
 * - `private`: of a private network
 * - `loopback`: of this machine, or this pod
 * - `link-local`: of the same local link; clouds have their metadata services there
 * - `special`: no source of files: reserved, for documentation, multicast, or another metadata service
 */
export type AddressScope = "public" | "private" | "loopback" | "link-local" | "special";

type Network = readonly [address: string, prefix: number];

// The IANA registries of special-purpose addresses (RFC 6890), and metadata services outside of link-local.
const V4: readonly (readonly [AddressScope, readonly Network[]])[] = [
  [
    "special",
    [
      // "This network": a connection to it ends at this machine.
      ["0.0.0.0", 8],
      // Alibaba Cloud's metadata service, and Azure's platform services.
      ["100.100.100.200", 32],
      ["168.63.129.16", 32],
      // Protocol assignments; Oracle Cloud's metadata service is one of them.
      ["192.0.0.0", 24],
      // Documentation.
      ["192.0.2.0", 24],
      ["198.51.100.0", 24],
      ["203.0.113.0", 24],
      // The former relays of 6to4.
      ["192.88.99.0", 24],
      // Multicast, reserved, broadcast.
      ["224.0.0.0", 4],
      ["240.0.0.0", 4],
    ],
  ],
  ["loopback", [["127.0.0.0", 8]]],
  ["link-local", [["169.254.0.0", 16]]],
  [
    "private",
    [
      ["10.0.0.0", 8],
      ["172.16.0.0", 12],
      ["192.168.0.0", 16],
      // Shared by carriers and clouds, and for measurements of networks.
      ["100.64.0.0", 10],
      ["198.18.0.0", 15],
    ],
  ],
  ["public", [["0.0.0.0", 0]]],
];

const V6: readonly (readonly [AddressScope, readonly Network[]])[] = [
  [
    "special",
    [
      // Metadata services of Amazon and Google; Amazon's service that gives keys to pods is in the same network.
      ["fd00:ec2::", 32],
      ["fd20:ce::254", 128],
      // Protocol assignments, Teredo among them; documentation.
      ["2001::", 23],
      ["2001:db8::", 32],
      ["3fff::", 20],
    ],
  ],
  ["loopback", [["::1", 128]]],
  ["link-local", [["fe80::", 10]]],
  // Unique local, and the former site-local.
  [
    "private",
    [
      ["fc00::", 7],
      ["fec0::", 10],
    ],
  ],
  // All other assigned addresses. Addresses outside of this are special, whether they are known today or not.
  ["public", [["2000::", 3]]],
];

/** The scope of an address of either family; an IPv6 address that contains an IPv4 address has the scope of the latter. */
export function addressScope(address: string): AddressScope {
  const [plain = ""] = address.split("%");
  if (!plain.includes(":")) return scopeIn(v4Lists(), plain, "ipv4");
  const embedded = embeddedIPv4(groupsOf(plain));
  return embedded === undefined ? scopeIn(v6Lists(), plain, "ipv6") : scopeIn(v4Lists(), embedded, "ipv4");
}

type Lists = readonly (readonly [AddressScope, BlockList])[];

// Made for the first address: most commands need none.
const v4Lists = once(() => lists(V4, "ipv4"));
const v6Lists = once(() => lists(V6, "ipv6"));

function once(make: () => Lists): () => Lists {
  let made: Lists | undefined;
  return () => (made ??= make());
}

function lists(table: typeof V4, family: "ipv4" | "ipv6"): Lists {
  return table.map(([scope, networks]) => {
    const list = new BlockList();
    for (const [address, prefix] of networks) list.addSubnet(address, prefix, family);
    return [scope, list];
  });
}

function scopeIn(all: Lists, address: string, family: "ipv4" | "ipv6"): AddressScope {
  return all.find(([, list]) => list.check(address, family))?.[0] ?? "special";
}

/**
 * The IPv4 address in an IPv6 address: mapped (RFC 4291, 2.5.5.2), translated by NAT64 with the well-known prefix (RFC
 * 6052, 2.1), or of 6to4 (RFC 3056, 2). Other prefixes of NAT64 cannot be recognized from outside of the network.
 */
function embeddedIPv4(groups: readonly number[]): string | undefined {
  if ([MAPPED, NAT64].some((prefix) => startsWith(groups, prefix))) return dotted(groups[6], groups[7]);
  return startsWith(groups, SIX_TO_FOUR) ? dotted(groups[1], groups[2]) : undefined;
}

const MAPPED = [0, 0, 0, 0, 0, 0xffff];
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];
const SIX_TO_FOUR = [0x2002];

function startsWith(groups: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((group, index) => group === groups[index]);
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** The eight groups of an IPv6 address (RFC 4291, 2.2). */
function groupsOf(address: string): readonly number[] {
  const [head = [], tail] = address.split("::").map(groupsOfPart);
  if (tail === undefined) return head;
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

function groupsOfPart(part: string): readonly number[] {
  return part.split(":").flatMap((group) => {
    if (group === "") return [];
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
