import { text } from "node:stream/consumers";
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
