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
