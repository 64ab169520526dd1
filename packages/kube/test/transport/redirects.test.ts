import { describe, expect, test } from "vitest";
import { resources, type KubeClient } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";

const calls: [string, (client: KubeClient) => Promise<unknown>][] = [
  ["a read", (client) => client.get(resources.pods, "p")],
  ["a create", (client) => client.create(resources.pods, { metadata: { name: "p" } })],
  ["a list", (client) => client.listAll(resources.pods)],
  ["a watch", (client) => client.watch(resources.pods)[Symbol.asyncIterator]().next()],
  ["a log", (client) => client.logs("p")],
  ["any request", (client) => client.request({ method: "POST", path: "/api/v1/anything", body: {} })],
];

describe.each([301, 302, 303, 307, 308])("an answer of %i is an error, wherever it leads", (status) => {
  test.each(calls)("%s", async (_, call) => {
    const other = await startStub((_request, response) => sendJson(response, { metadata: { name: "p" } }));
    for (const location of [`${other.url}/elsewhere`, "/elsewhere"]) {
      const stub = await startStub((_request, response) => void response.writeHead(status, { location }).end());
      expect(await caught(call(testClient(stub.url)))).toMatchObject({ kind: "status", status });
      expect(stub.requests.filter(({ url }) => url.includes("elsewhere"))).toEqual([]);
    }
    expect(other.requests).toEqual([]);
  });
});
