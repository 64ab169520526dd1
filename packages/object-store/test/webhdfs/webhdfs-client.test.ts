import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { systemClock } from "@kindling/outside";
import { type HttpRequest, type HttpTransport } from "@kindling/staging-client";
import { expect, it } from "vitest";
import { hdfsClient } from "../../../src/stores/webhdfs/hdfs-client.ts";

it.each([
  ["to another path of the same origin, with it", "https://nn:9871/elsewhere", "Basic login"],
  ["to the same host and port without TLS, without it", "http://nn:9871/elsewhere", undefined],
  ["to another port, without it", "https://nn:9865/elsewhere", undefined],
])("follows a name node that asks for a login %s", async (_, location, shown) => {
  const requests: HttpRequest[] = [];
  const transport: HttpTransport = {
    stallTimeoutMs: 1000,
    clock: systemClock,
    documents: { mostBytes: 1024, mostValues: 100 },
    redact: (text) => text,
    send(request) {
      requests.push(request);
      const body = Readable.from([Buffer.from("{}")]) as IncomingMessage;
      const moved = requests.length === 1;
      return Promise.resolve({ status: moved ? 307 : 200, headers: moved ? { location } : {}, body });
    },
    close: () => undefined,
  };
  const client = hdfsClient({
    endpoints: [new URL("https://nn:9871/")],
    dataHosts: ["*"],
    credentials: () => Promise.resolve({ query: {}, authorization: "Basic login" }),
    transport,
    clock: systemClock,
    random: () => 0,
  });
  await client.makeDirectory("/x");
  expect(requests.map(({ headers }) => headers["authorization"])).toEqual(["Basic login", shown]);
});
