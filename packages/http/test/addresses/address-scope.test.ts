import { expect, test } from "vitest";
import { addressScope, type AddressScope } from "../../src/index.ts";

test.each<[AddressScope, string]>([
  ["public", "93.184.216.34"],
  ["public", "8.8.8.8"],
  ["public", "1.1.1.1"],
  ["public", "11.0.0.1"],
  ["public", "100.128.0.1"],
  ["public", "172.32.0.1"],
  ["public", "192.0.1.1"],
  ["public", "198.20.0.1"],
  ["public", "223.255.255.255"],
  ["private", "10.1.2.3"],
  ["private", "100.64.0.1"],
  ["private", "100.127.255.255"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.0.1"],
  ["private", "198.18.0.1"],
  ["private", "198.19.255.255"],
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.254"],
  ["link-local", "169.254.169.254"],
  ["link-local", "169.254.170.2"],
  ["special", "0.0.0.0"],
  ["special", "0.1.2.3"],
  ["special", "100.100.100.200"],
  ["special", "168.63.129.16"],
  ["special", "192.0.0.192"],
  ["special", "192.0.2.1"],
  ["special", "192.88.99.1"],
  ["special", "198.51.100.1"],
  ["special", "203.0.113.1"],
  ["special", "224.0.0.1"],
  ["special", "239.255.255.255"],
  ["special", "240.0.0.1"],
  ["special", "255.255.255.255"],
])("%s: %s", (scope, address) => {
  expect(addressScope(address)).toBe(scope);
});

test.each<[AddressScope, string]>([
  ["public", "2606:4700::1111"],
  ["public", "2001:4860:4860::8888"],
  ["public", "2600::"],
  ["public", "3ffe::1"],
  ["private", "fc00::1"],
  ["private", "fd12:3456:789a::1"],
  ["private", "fec0::1"],
  ["private", "feff::1"],
  ["loopback", "::1"],
  ["loopback", "0:0:0:0:0:0:0:1"],
  ["link-local", "fe80::1"],
  ["link-local", "fe80::1%eth0"],
  ["link-local", "febf::1%2"],
  ["special", "::"],
  ["special", "100::1"],
  ["special", "2001::1"],
  ["special", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["special", "2001:2::1"],
  ["special", "2001:10::1"],
  ["special", "2001:db8::1"],
  ["special", "3fff::1"],
  ["special", "5f00::1"],
  ["special", "64:ff9b:1::1"],
  ["special", "4000::1"],
  ["special", "fd00:ec2::254"],
  ["special", "fd20:ce::254"],
  ["special", "ff02::1"],
  // IPv4-compatible addresses, which are not used any more, and those translated by an obsolete protocol.
  ["special", "::8.8.8.8"],
  ["special", "::127.0.0.1"],
  ["special", "::ffff:0:8.8.8.8"],
])("%s: %s", (scope, address) => {
  expect(addressScope(address)).toBe(scope);
});

test.each<[string, (v4: string) => string]>([
  ["mapped", (v4) => `::ffff:${v4}`],
  ["mapped, in hexadecimal digits", (v4) => `::ffff:${hex(v4)}`],
  ["mapped, in capitals and whole", (v4) => `0:0:0:0:0:FFFF:${hex(v4).toUpperCase()}`],
  ["of NAT64", (v4) => `64:ff9b::${v4}`],
  ["of NAT64, whole", (v4) => `0064:ff9b:0:0:0:0:${hex(v4)}`],
  ["of 6to4", (v4) => `2002:${hex(v4)}::1`],
])("an IPv4 address that is %s counts as what it is", (_, within) => {
  expect(addressScope(within("8.8.8.8"))).toBe("public");
  expect(addressScope(within("10.0.0.1"))).toBe("private");
  expect(addressScope(within("127.0.0.1"))).toBe("loopback");
  expect(addressScope(within("169.254.169.254"))).toBe("link-local");
  expect(addressScope(within("0.0.0.0"))).toBe("special");
  expect(addressScope(within("192.0.2.1"))).toBe("special");
});

function hex(v4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map(Number);
  return [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(":");
}
