import * as http from "node:http";
import * as https from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "@kindling/outside";
import { testAuthority } from "@kindling/test-kit/certificates";
import { guardConnection } from "../../src/addresses/reach.ts";
import { httpTransport, withoutProxy, type HttpTransport, type Reach } from "../../src/index.ts";

function transport(): HttpTransport {
  const opened = httpTransport({
    clock: systemClock,
    tls: {},
    proxies: withoutProxy,
    maxConnections: 1,
    connectTimeoutMs: 10_000,
    stallTimeoutMs: 10_000,
    answerTimeoutMs: 10_000,
  });
  onTestFinished(() => opened.close());
  return opened;
}

async function localServer(): Promise<{ readonly port: number; readonly requests: string[] }> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end("here");
  });
  return { port: await listening(server), requests };
}

/** Starts a server until the test ends; returns its port. */
async function listening(server: http.Server | https.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function get(over: HttpTransport, url: string, reach?: Reach): Promise<string> {
  const { body } = await over.send({
    method: "GET",
    url: new URL(url),
    headers: {},
    ...(reach !== undefined && { reach }),
  });
  return await text(body);
}

test.each(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"])(
  "a request that may reach public addresses only does not reach %s",
  async (host) => {
    const { port, requests } = await localServer();
    const promise = get(transport(), `http://${host}:${port}/`, "public");
    await expect(promise).rejects.toMatchObject({ kind: "address", retryable: false });
    await expect(get(transport(), `http://${host}:${port}/`, "network")).rejects.toMatchObject({ kind: "address" });
    expect(requests).toEqual([]);
  },
);

test("one that may reach this machine does", async () => {
  const { port } = await localServer();
  expect(await get(transport(), `http://localhost:${port}/`, "machine")).toBe("here");
});

test("a connection that was opened for another request is not sent over", async () => {
  const { port, requests } = await localServer();
  const shared = transport();
  const url = `http://localhost:${port}/`;
  expect(await get(shared, `${url}allowed`)).toBe("here");
  await expect(get(shared, `${url}redirected`, "public")).rejects.toMatchObject({ kind: "address" });
  expect(await get(shared, `${url}again`)).toBe("here");
  expect(requests).toEqual(["/allowed", "/again"]);
});

/** Sends a request without the transport's own look-up, so that only the connection itself is left to be checked. */
async function getGuarded(url: URL, reach: Reach, options: https.RequestOptions): Promise<string> {
  const outgoing = (url.protocol === "https:" ? https : http).get(url, options);
  guardConnection(outgoing, url, reach);
  const [response] = (await once(outgoing, "response")) as [http.IncomingMessage];
  return await text(response);
}

test.each(["http", "https"] as const)(
  "over %s, the address that is connected to is checked each time",
  async (scheme) => {
    const { key, cert } = testAuthority("test").issue("server");
    const requests: string[] = [];
    const answer: http.RequestListener = ({ url = "" }, response) => void (requests.push(url), response.end("here"));
    const server = scheme === "http" ? http.createServer(answer) : https.createServer({ key, cert }, answer);
    const port = await listening(server);
    const agent = new (scheme === "http" ? http : https).Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const options = { agent, rejectUnauthorized: false };
    const url = new URL(`${scheme}://localhost:${port}/`);
    const refused = { kind: "address", message: expect.stringContaining("localhost is at ") as string };
    // First on a new connection, and then on an existing one.
    await expect(getGuarded(url, "public", options)).rejects.toMatchObject(refused);
    expect(await getGuarded(new URL("/allowed", url), "machine", options)).toBe("here");
    await expect(getGuarded(url, "network", options)).rejects.toMatchObject(refused);
    expect(requests).toEqual(["/allowed"]);
  },
);
