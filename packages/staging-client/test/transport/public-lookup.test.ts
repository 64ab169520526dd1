import { expect, test } from "vitest";
import { isPublicAddress } from "../../src/transport/public-lookup.ts";

test.each(["93.184.216.34", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address, address.includes(":") ? 6 : 4)).toBe(true);
  },
);

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fd00:ec2::254",
  "fe80::1",
  "ff02::1",
  "::ffff:169.254.169.254",
])("%s is not public", (address) => {
  expect(isPublicAddress(address, address.includes(":") ? 6 : 4)).toBe(false);
});
