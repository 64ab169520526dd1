import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ConnectAddress,
  formatConnectAddress,
  parseConnectAddress,
} from "../../src/commands/connect/connect-address.ts";

const addresses: fc.Arbitrary<ConnectAddress> = fc.record({
  host: fc.constantFrom("localhost", "connect.example", "kindling-connect.kindling.svc", "10.0.0.7", "[fe80::1]"),
  port: fc.integer({ min: 1, max: 65_535 }),
  parameters: fc.dictionary(fc.stringMatching(/^[a-z][a-z_-]{0,9}$/), fc.string({ unit: "grapheme" }), { maxKeys: 4 }),
});

test("an address that was written is read as it was, and has no sign that a shell or a client would take for its own", () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const text = formatConnectAddress(address);
      expect(parseConnectAddress(text, "test")).toEqual(address);
      expect(text).toMatch(/^sc:\/\/[\w.:[\]-]+\/(?:;[^;=' ]+=[^;=' ]*)*$/);
    }),
  );
});

test.each([
  ["sc://connect.example", { host: "connect.example", port: 15_002, parameters: {} }],
  ["sc://connect.example:443/;use_ssl=true;", { host: "connect.example", port: 443, parameters: { use_ssl: "true" } }],
  ["sc://[::1]:15002/;x-profile=a%3Db", { host: "[::1]", port: 15_002, parameters: { "x-profile": "a=b" } }],
])("%s is read", (text, address) => {
  expect(parseConnectAddress(text, "test")).toEqual(address);
});

test.each([
  "",
  "localhost:15002",
  "http://localhost:15002",
  "sc://",
  "sc://host:0",
  "sc://host:99999",
  "sc://user@host",
  "sc://host/path",
  "sc://host/;token",
  "sc://host/;token=secret=x",
  "sc://host/;token=secret%zz",
])("%j is refused, and not shown", (text) => {
  expect(() => parseConnectAddress(text, "--address")).toThrow(/^--address: (?!.*secret)/);
});
