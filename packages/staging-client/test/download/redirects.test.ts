import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { HttpResponse } from "@kindling/http";
import { expect, onTestFinished, test } from "vitest";
import { connectStaging, httpSource } from "../../src/index.ts";
import { fileServer, sendFile } from "../support/file-server.ts";

async function fetchFollowing(redirectHosts: readonly string[], targetHost: string): Promise<string> {
  const target = await fileServer((request, response) => sendFile(request, response, { bytes: Buffer.from("there") }));
  target.url.hostname = targetHost;
  const server = await fileServer((_, response) => response.writeHead(302, { location: target.url.href }).end());
  const client = connectStaging({ uri: server.url.origin });
  onTestFinished(() => client.close());
  const source = httpSource({ url: server.url, transport: client.connection.transport, redirectHosts });
  const { body } = await source.open(0, undefined, AbortSignal.timeout(5000));
  return await text(body);
}

test("a redirect to any public host does not lead to a name of a local address", async () => {
  await expect(fetchFollowing(["*"], "localhost")).rejects.toMatchObject({
    fault: "redirect",
    message: expect.stringContaining("local network") as string,
  });
});

test("a redirect leads to a local address whose name is allowed", async () => {
  expect(await fetchFollowing(["*", "localhost"], "localhost")).toBe("there");
});

test("a redirect to an address without a name needs that address to be allowed", async () => {
  await expect(fetchFollowing(["*"], "127.0.0.2")).rejects.toMatchObject({ fault: "redirect" });
});

/** The hosts of all requests on the way, with the reach of each. */
async function hops(locations: readonly string[], redirectHosts: readonly string[]): Promise<string[]> {
  const client = connectStaging({ uri: "http://repo.internal/" });
  const { transport } = client.connection;
  const asked: string[] = [];
  const answers = [...locations];
  const source = httpSource({
    url: new URL("http://repo.internal/a"),
    redirectHosts,
    transport: {
      ...transport,
      send: ({ url, reach }) => {
        asked.push(`${url.host} ${reach ?? "anywhere"}`);
        const location = answers.shift();
        const body = Readable.from([]) as HttpResponse["body"];
        const headers = location === undefined ? {} : { location };
        const status = location === undefined ? 200 : 302;
        return Promise.resolve({ status, headers, body, url, remoteAddress: undefined, proxy: undefined });
      },
    },
  });
  await source.open(0, undefined, AbortSignal.timeout(5000));
  return asked;
}

test("each hop is held to where it leads, wherever it comes from", async () => {
  expect(await hops(["http://a.example/1", "/2", "http://a.example/3"], ["*"])).toEqual([
    "repo.internal anywhere",
    "a.example public",
    "a.example public",
    "a.example public",
  ]);
  expect(await hops(["http://a.example/1", "http://repo.internal/2", "/3"], ["*"])).toEqual([
    "repo.internal anywhere",
    "a.example public",
    "repo.internal anywhere",
    "repo.internal anywhere",
  ]);
  expect(await hops(["http://b.internal/1", "http://a.example/2", "http://b.internal/3"], ["*", "b.internal"])).toEqual(
    ["repo.internal anywhere", "b.internal anywhere", "a.example public", "b.internal anywhere"],
  );
});

test("a host that was allowed is no reason to allow others on it", async () => {
  await expect(hops(["http://b.internal:81/1", "http://b.internal:82/2"], ["b.internal:81"])).rejects.toMatchObject({
    fault: "redirect",
  });
});

test("credentials stay with the server they are for, and are not sent again when a redirect leads back to it", async () => {
  const credentials = { authorization: "Bearer secret", "x-token": "secret" };
  const other = await fileServer((_, response) => response.writeHead(302, { location: `${server.url.href}/3` }).end());
  const server = await fileServer((request, response) => {
    if (request.url?.endsWith("/1") === true) response.writeHead(307, { location: `${server.url.href}/2` }).end();
    else if (request.url?.endsWith("/2") === true) response.writeHead(302, { location: other.url.href }).end();
    else sendFile(request, response, { bytes: Buffer.from("back") });
  });
  const client = connectStaging({ uri: server.url.origin });
  onTestFinished(() => client.close());
  const { transport } = client.connection;
  const url = new URL(`${server.url.href}/1`);
  const redirectHosts = [server.url.host, other.url.host];
  const { body } = await httpSource({ url, transport, redirectHosts, credentials }).open(
    0,
    undefined,
    AbortSignal.timeout(5000),
  );
  expect(await text(body)).toBe("back");
  const shown = [...server.requests, ...other.requests].map(({ headers }) => [
    headers.authorization,
    headers["x-token"],
  ]);
  expect(shown).toEqual([
    ["Bearer secret", "secret"],
    ["Bearer secret", "secret"],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
