import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { fakeHdfs } from "@kindling/test-kit/fake-hdfs";
import { expect, it, test } from "vitest";
import { webHdfsClient, type WebHdfsClient } from "../../src/webhdfs/webhdfs-client.ts";
import type { NameNodesOptions } from "../../src/webhdfs/name-nodes.ts";
import { storeConnection } from "../support/connection.ts";
import { keyService } from "../support/key-service.ts";

function clientAt(urls: readonly string[], options: Partial<NameNodesOptions> = {}): WebHdfsClient {
  return webHdfsClient({
    services: urls.map((url) => new URL(url)),
    dataNodes: [],
    identity: () => Promise.resolve({ query: { "user.name": "me" }, headers: { authorization: "Basic login" } }),
    connection: storeConnection(),
    ...options,
  });
}

it.each([
  ["to another path of the same origin, with it", 0, "Basic login"],
  ["to another port, without it", 1, undefined],
])("follows a name node that asks for a login %s", async (_, index, shown) => {
  const [first, second] = await Promise.all(
    [0, 1].map(() =>
      keyService((request, response) => {
        if (request.url === "/elsewhere") response.end('{"boolean":true}');
        else response.writeHead(307, { location: `${[first, second][index]?.url}/elsewhere` }).end();
      }),
    ),
  );
  await clientAt([first?.url ?? ""]).makeDirectory("/x");
  const all = [...(first?.requests ?? []), ...(second?.requests ?? [])];
  expect(all.map(({ request }) => request.headers.authorization)).toEqual(["Basic login", shown]);
});

test("files are written, read in parts, renamed and deleted", async () => {
  const client = clientAt([(await fakeHdfs()).endpoint]);
  await client.makeDirectory("/a b");
  await client.create("/a b/ü", Readable.from([Buffer.from("0123"), Buffer.from("456789")]));
  expect(await client.status("/a b/ü")).toMatchObject({ name: "", type: "FILE", length: 10 });
  expect((await client.list("/a b")).map(({ name }) => name)).toEqual(["ü"]);
  expect(await text((await client.open("/a b/ü", { start: 2, end: 5 })).body)).toBe("234");
  expect(await client.rename("/a b/ü", "/a b/x")).toBe(true);
  expect(await client.rename("/a b/ü", "/a b/y")).toBe(false);
  expect([await client.delete("/a b/x"), await client.delete("/a b/x")]).toEqual([true, false]);
  await expect(client.status("/a b/x")).rejects.toMatchObject({ fault: "not-found", code: "FileNotFoundException" });
});

test("the active name node is found, and asked from then on", async () => {
  const standby = await keyService((_, response) =>
    response.writeHead(403).end('{"RemoteException":{"exception":"StandbyException","message":"no"}}'),
  );
  const hdfs = await fakeHdfs();
  const client = clientAt([standby.url, "http://127.0.0.1:1", hdfs.endpoint]);
  await client.makeDirectory("/x");
  await client.makeDirectory("/y");
  expect([standby.requests.length, hdfs.requests.length]).toEqual([1, 2]);
});

test("a stream that was on its way once is not sent again", async () => {
  const hdfs = await fakeHdfs();
  hdfs.fail("CREATE", { kind: "cut", bytes: 1 });
  const created = clientAt([hdfs.endpoint]).create("/x", Readable.from([Buffer.alloc(100_000)]));
  await expect(created).rejects.toMatchObject({ fault: "unreachable", retryable: false });
  expect(hdfs.requests.filter((line) => line.startsWith("CREATE"))).toHaveLength(1);
});

test.each<[string, number, string, object]>([
  ["full", 403, "DSQuotaExceededException", { fault: "no-space", retryable: false }],
  ["starting", 403, "SafeModeException", { fault: "server", retryable: true }],
  ["closed to us", 403, "AccessControlException", { fault: "forbidden", retryable: false }],
  ["ill", 500, "NullPointerException", { fault: "server", retryable: true }],
])("an HDFS that is %s says so, without a stack trace", async (_, status, exception, meaning) => {
  const message = "what it is about\\n\\tat Some.java";
  const name = await keyService((_request, response) =>
    response.writeHead(status).end(`{"RemoteException":{"exception":"${exception}","message":"${message}"}}`),
  );
  const connection = storeConnection({ attempts: 2 });
  await expect(clientAt([name.url], { connection }).makeDirectory("/x")).rejects.toMatchObject({
    ...meaning,
    message: `${new URL(name.url).host} refused MKDIRS /x: what it is about (${exception}, HTTP ${status})`,
  });
});

test.each([
  ["a service of another kind", "<html>"],
  ["an answer that lacks what was asked for", "{}"],
  ["a length that is none", '{"FileStatus":{"type":"FILE","length":"many","modificationTime":1}}'],
])("%s is an error that says what may be wrong", async (_, body) => {
  const web = await keyService((_request, response) => response.end(body));
  await expect(clientAt([web.url]).status("/x")).rejects.toMatchObject({
    fault: "protocol",
    hint: "is this the address of a WebHDFS or HttpFS service?",
  });
});

test.each([
  ["nowhere", "/"],
  ["a file", "file:///etc/passwd"],
  ["a host that nobody has named", "http://other.invalid/"],
])("a name node that sends to %s is not followed", async (_, location) => {
  const name = await keyService((_request, response) => response.writeHead(307, { location }).end());
  await expect(clientAt([name.url]).open("/x", { start: 0 })).rejects.toMatchObject({ fault: "redirect" });
});

test("neither is one that sends to a metadata service, whatever hosts are allowed by a pattern", async () => {
  const name = await keyService((_, response) =>
    response.writeHead(307, { location: "http://169.254.169.254/" }).end(),
  );
  const opened = clientAt([name.url], { dataNodes: ["*"] }).open("/x", { start: 0 });
  await expect(opened).rejects.toMatchObject({ fault: "redirect" });
});

test("no path leads out of WebHDFS", async () => {
  await expect(clientAt(["http://127.0.0.1:1"]).status("/../../jmx")).rejects.toMatchObject({ fault: "settings" });
});
