import type { LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { expect, test } from "vitest";
import { loopbackLookup } from "../../src/caller/loopback.ts";

/** What a name leads to where the system's resolver says that it is at these addresses. */
function resolved(addresses: readonly string[], all: boolean): Promise<unknown> {
  const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
  const system = ((_name: string, _options: object, callback: (error: null, found: LookupAddress[]) => void) =>
    callback(null, found)) as unknown as typeof lookup;
  return new Promise((resolve, reject) => {
    const callback: Parameters<LookupFunction>[2] = (error, address) =>
      error === null ? resolve(address) : reject(error);
    loopbackLookup(system)("localhost", { all }, callback);
  });
}

test.each([[["127.0.0.1"]], [["::1", "127.0.0.1"]], [["127.0.1.1"]]])("localhost at %j is this machine", async (at) => {
  expect(await resolved(at, false)).toBe(at[0]);
  expect(await resolved(at, true)).toHaveLength(at.length);
});

test.each([[["10.0.0.1"]], [["fe80::1", "192.168.0.1"]], [["0.0.0.0"]], [["::ffff:127.0.0.1"]]])(
  "localhost at %j is not this machine",
  async (at) => {
    await expect(resolved(at, true)).rejects.toMatchObject({ fault: "insecure" });
    await expect(resolved(at, true)).rejects.toThrow(`localhost is at ${at.join(", ")}`);
  },
);

test("of several addresses only this machine's are connected to", async () => {
  expect(await resolved(["10.0.0.1", "127.0.0.1"], true)).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(await resolved(["10.0.0.1", "127.0.0.1"], false)).toBe("127.0.0.1");
});
