import { environmentProxies } from "@kindling/http";
import { testAuthority } from "@kindling/test-kit/certificates";
import { startHttpProxy, startSocksProxy, type TestProxy } from "@kindling/test-kit/proxies";
import { recordingPeer } from "@kindling/test-kit/recording-peer";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  connectStaging,
  digestOf,
  downloadFile,
  httpSource,
  uploadBundle,
  type ConnectOptions,
  type StagingClient,
} from "../src/index.ts";
import { fileServer, sendFile } from "./support/file-server.ts";
import { localFiles } from "./support/files.ts";
import { memoryServer } from "./support/memory-server.ts";

const TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOlsia2luZGxpbmciXX0.c2lnbmF0dXJl";
const OWNER = { ownerNamespace: "default", ownerLabels: { "spark-app-selector": "a" }, ownerType: "Pod" };
const authority = testAuthority("the staging server's authority");

function clientWithin(env: Record<string, string>, options: Partial<ConnectOptions> = {}): StagingClient {
  const client = connectStaging({
    uri: "https://staging.example:10000/",
    authorization: `Bearer ${TOKEN}`,
    tls: { ca: authority.cert },
    proxies: environmentProxies(env),
    retry: { attempts: 1 },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** A staging server that can only be reached through a proxy, and the proxy's recorder. */
async function hidden() {
  const server = await memoryServer();
  const peer = await recordingPeer(server.uri, authority.issue("staging", { names: ["staging.example"] }));
  return { server, peer, hosts: { "staging.example:10000": Number(new URL(peer.url).port) } };
}

test.each([
  ["an HTTP proxy", (hosts: Record<string, number>) => startHttpProxy({ hosts }), "http"],
  ["a SOCKS proxy", (hosts: Record<string, number>) => startSocksProxy({ hosts }), "socks5h"],
] satisfies [string, (hosts: Record<string, number>) => Promise<TestProxy>, string][])(
  "files are uploaded through %s, and the credentials are the server's alone to see",
  async (_what, start, scheme) => {
    const { server, peer, hosts } = await hidden();
    const proxy = await start(hosts);
    const client = clientWithin({ HTTPS_PROXY: `${scheme}://127.0.0.1:${proxy.port}` });
    const files = await localFiles({ small: 100, large: 3 * 1024 * 1024 });
    await uploadBundle(client, { files, owner: OWNER });
    expect([...server.blobs.keys()].sort()).toEqual(files.map(({ digest }) => digest).sort());
    expect(new Set(proxy.targets)).toEqual(new Set(["staging.example:10000"]));
    expect(proxy.requests).toEqual([]);
    expect(peer.received()).toContain(TOKEN);
  },
);

test("files are downloaded through a proxy", async () => {
  const bytes = Buffer.from("a file");
  const { url } = await fileServer((request, response) => sendFile(request, response, { bytes }));
  const proxy = await startHttpProxy({ hosts: { "files.example:80": Number(url.port) } });
  const client = clientWithin({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
  const target = join(scratchFolder().path, "file");
  const { transport } = client.connection;
  const source = httpSource({ url: new URL("http://files.example/file"), transport });
  await downloadFile({ source, target, digest: digestOf(bytes) });
  expect(readFileSync(target)).toEqual(bytes);
  expect(proxy.requests.map((request) => request.url)).toEqual(["http://files.example/file"]);
});

test("a redirect to any public host is not followed to a name that only a proxy looks up", async () => {
  const { url } = await fileServer((_request, response) =>
    response.writeHead(302, { location: "http://inside.example/secrets" }).end(),
  );
  const proxy = await startHttpProxy({ hosts: { "files.example:80": Number(url.port) } });
  const { transport } = clientWithin({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }).connection;
  const source = httpSource({ url: new URL("http://files.example/file"), transport, redirectHosts: ["*"] });
  await expect(source.open(0, undefined, AbortSignal.timeout(25_000))).rejects.toMatchObject({
    fault: "redirect",
    message: expect.stringContaining("inside.example is behind a proxy") as string,
  });
  expect(proxy.requests).toHaveLength(1);
});

test("no proxy is asked for a server on this machine, nor where the environment is not to be looked at", async () => {
  const server = await memoryServer();
  const env = { ALL_PROXY: "http://127.0.0.1:1" };
  await clientWithin(env, { uri: server.uri }).capabilities();
  await clientWithin(env, { uri: server.uri.replace("127.0.0.1", "localhost") }).capabilities();
  const { proxies: _proxies, ...others } = { uri: server.uri, proxies: environmentProxies(env) };
  const client = connectStaging(others);
  onTestFinished(() => client.close());
  await client.capabilities();
  expect(server.lines).toHaveLength(3);
});

test.each([
  ["refuses", 407, "it answered 407 Proxy Authentication Required to CONNECT staging.example:10000"],
  ["cannot reach the server", 502, "it answered 502 Bad Gateway to CONNECT staging.example:10000"],
])(
  "a proxy that %s is named with its variable, and shows neither its password nor the token",
  async (_, status, words) => {
    const proxy = await startHttpProxy({ status });
    const client = clientWithin({ HTTPS_PROXY: `http://ann:secret@127.0.0.1:${proxy.port}` });
    const error: unknown = await client.storageStatus().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      fault: "connect",
      message: `the proxy http://127.0.0.1:${proxy.port} (HTTPS_PROXY): ${words}`,
    });
    const { message, hint, cause } = error as { [name: string]: unknown };
    expect(JSON.stringify([message, hint, cause])).not.toMatch(/secret|eyJ/);
  },
);

test("a proxy's own page in the place of the server's answer is told as one", async () => {
  const proxy = await startHttpProxy({ status: 403 });
  const client = clientWithin(
    { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` },
    { uri: "http://staging.example:10000/", allowInsecure: ["http://staging.example:10000/"] },
  );
  await expect(client.storageStatus()).rejects.toMatchObject({
    fault: "forbidden",
    hint: `is that the server's answer, or that of the proxy http://127.0.0.1:${proxy.port} (HTTP_PROXY)?`,
  });
});
