import type { LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { httpTransport, withoutProxy } from "@kindling/http";
import { systemClock } from "@kindling/outside";
import { expect, onTestFinished, test } from "vitest";
import { loopbackLookup } from "../../src/caller/loopback.ts";
import { stagingTransport } from "../../src/index.ts";
import { sendJson, stubServer } from "../support/stub-server.ts";

/** A resolver that returns these addresses for every name. */
function resolver(addresses: readonly string[]): typeof lookup {
  const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
  const system = (_name: string, _options: object, callback: (error: null, found: LookupAddress[]) => void): void =>
    callback(null, found);
  return system as unknown as typeof lookup;
}

/** The result for `localhost` if the system's resolver returns these addresses. */
function resolved(addresses: readonly string[], all: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback: Parameters<LookupFunction>[2] = (error, address) =>
      error === null ? resolve(address) : reject(error);
    loopbackLookup(resolver(addresses))("localhost", { all }, callback);
  });
}

test.each([[["127.0.0.1"]], [["::1", "127.0.0.1"]], [["127.0.1.1"]]])("localhost at %j is this machine", async (at) => {
  expect(await resolved(at, false)).toBe(at[0]);
  expect(await resolved(at, true)).toHaveLength(at.length);
});

test.each([[["10.0.0.1"]], [["fe80::1", "192.168.0.1"]], [["0.0.0.0"]], [["::ffff:127.0.0.1"]]])(
  "localhost at %j is not this machine",
  async (at) => {
    await expect(resolved(at, true)).rejects.toMatchObject({ kind: "address" });
    await expect(resolved(at, true)).rejects.toThrow(`localhost is at ${at.join(", ")}`);
  },
);

test("of several addresses only this machine's are connected to", async () => {
  expect(await resolved(["10.0.0.1", "127.0.0.1"], true)).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(await resolved(["10.0.0.1", "127.0.0.1"], false)).toBe("127.0.0.1");
});

test.each([
  [["10.0.0.1"], { fault: "insecure", retryable: false }],
  [["127.0.0.1"], { status: 200 }],
])("a connection to localhost at %j is looked at before anything is sent", async (at, outcome) => {
  const { uri, requests } = await stubServer((_request, response) => sendJson(response, 200, {}));
  const timeouts = { connectTimeoutMs: 10_000, stallTimeoutMs: 10_000, answerTimeoutMs: 10_000 };
  const transport = stagingTransport(
    httpTransport({
      ...{ clock: systemClock, tls: {}, proxies: withoutProxy, maxConnections: 1, ...timeouts },
      lookup: loopbackLookup(resolver(at)),
    }),
  );
  onTestFinished(() => transport.close());
  const url = new URL(uri.replace("127.0.0.1", "localhost"));
  const sent = await transport.send({ method: "GET", url, headers: {} }).catch((error: unknown) => error);
  expect(sent).toMatchObject(outcome);
  expect(requests).toHaveLength("status" in outcome ? 1 : 0);
});
