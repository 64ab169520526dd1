import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { connectStaging, httpSource, type HttpResponse } from "../../src/index.ts";
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

/** The hosts that are asked on the way, with the reach of each request. */
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
        return Promise.resolve({ status: location === undefined ? 200 : 302, headers, body });
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

test("credentials go to their own server, until a redirect has led away from it", async () => {
  const seen: [string, string | undefined, string | undefined][] = [];
  const note = ({ url = "", headers }: IncomingMessage): void =>
    void seen.push([url, headers.authorization, headers["x-token"]?.toString()]);
  const other = await fileServer((request, response) => {
    note(request);
    response.writeHead(302, { location: `${server.url.origin}/back` }).end();
  });
  const server = await fileServer((request, response) => {
    note(request);
    const location = { "/file": "/moved", "/moved": `${other.url.origin}/away` }[request.url ?? ""];
    if (location === undefined) response.end("there");
    else response.writeHead(302, { location }).end();
  });
  const client = connectStaging({ uri: server.url.origin });
  onTestFinished(() => client.close());
  const source = httpSource({
    url: server.url,
    transport: client.connection.transport,
    redirectHosts: [other.url.host],
    authorization: "Bearer topsecret",
    headers: { "x-token": "topsecret" },
  });
  const { body } = await source.open(0, undefined, AbortSignal.timeout(5000));
  expect(await text(body)).toBe("there");
  expect(seen).toEqual([
    ["/file", "Bearer topsecret", "topsecret"],
    ["/moved", "Bearer topsecret", "topsecret"],
    ["/away", undefined, undefined],
    ["/back", undefined, undefined],
  ]);
});
