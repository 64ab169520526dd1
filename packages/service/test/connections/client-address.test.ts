import { expect, it } from "vitest";
import { clientOfAddress, ipv6Groups, proxyAddresses } from "../../src/connections/client-address.ts";
import { parseTcpTable, peerKey } from "../../src/connections/tcp-queues.ts";

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["192.0.2.1:40000", "192.0.2.1"],
  ["[2001:db8:1:2:3::4]:40000", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::]", "2001:db8:1:2::/64"],
  ["unknown", "unknown"],
  ["[::1", "unknown"],
  ["1.2.3.4.5:80", "unknown"],
  ["x".repeat(20_000), "unknown"],
])("counts %s as %s", (address, client) => {
  expect(clientOfAddress(address)).toBe(client);
});

it("writes IPv6 addresses with all of their groups", () => {
  expect(ipv6Groups("::").join(":")).toBe("0:0:0:0:0:0:0:0");
  expect(ipv6Groups("1::8").join(":")).toBe("1:0:0:0:0:0:0:8");
  expect(ipv6Groups("64:ff9b::192.0.2.33").join(":")).toBe("64:ff9b:0:0:0:0:c000:221");
});

it("knows proxies by network or address", () => {
  const isProxy = proxyAddresses(["10.0.0.0/8", "192.0.2.7", "fd00::/8"]);
  expect(["10.1.2.3", "::ffff:10.1.2.3", "192.0.2.7", "fd00::1"].map(isProxy)).toEqual([true, true, true, true]);
  expect(["11.0.0.1", "192.0.2.8", "fe80::1", "", "unknown"].map(isProxy)).toEqual([false, false, false, false, false]);
  for (const network of ["10.0.0.0/33", "ten", "10.0.0.0/8/9", "10.0.0.0/", "fd00::/129"]) {
    expect(() => proxyAddresses([network])).toThrow(/listen.trustedProxies: .* is no network/);
  }
});

// As Linux 6.18 prints it, on a little-endian machine.
const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2710 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 113243 1
   1: 0100007F:2710 0200007F:C350 01 0026A1F0:00000000 01:00000014 00000000     0        0 113250 2
   2: 0100007F:1F90 0200007F:C351 01 00000001:00000000 01:00000014 00000000     0        0 113251 2
`;
const TABLE6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue
   0: 0000000000000000FFFF00000100007F:2710 0000000000000000FFFF00000300007F:C352 01 00000010:00000000 00
   1: 00000000000000000000000001000000:2710 B80D0120000000000000000001000000:C353 01 00000020:00000000 00
`;

it("reads the kernel's table of connections", () => {
  expect(parseTcpTable(TABLE, 10_000)).toEqual([
    [peerKey("0.0.0.0", 0), 0],
    [peerKey("127.0.0.2", 50_000), 0x26a1f0],
  ]);
  expect(parseTcpTable(TABLE6, 10_000)).toEqual([
    [peerKey("::ffff:127.0.0.3", 50_002), 16],
    [peerKey("2001:db8::1", 50_003), 32],
  ]);
  expect(parseTcpTable("", 10_000)).toEqual([]);
});
