import { Readable } from "node:stream";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { connectStaging, isStagingError, systemClock, httpTransport } from "../../src/index.ts";
import { sendJson, sendProblem, stubServer } from "../support/stub-server.ts";

/** A listener that does not speak HTTP unless told to. */
async function listener(handle: (socket: Socket) => void): Promise<URL> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const quick = (timeouts = {}) => {
  const transport = httpTransport({
    clock: systemClock,
    tls: {},
    maxConnections: 2,
    connectTimeoutMs: 300,
    stallTimeoutMs: 300,
    answerTimeoutMs: 300,
    ...timeouts,
  });
  onTestFinished(() => transport.close());
  return transport;
};

it("says where nobody listens, and that it may pass", async () => {
  const failing = quick().send({ method: "GET", url: new URL("http://127.0.0.1:1/path?secret=x"), headers: {} });
  await expect(failing).rejects.toMatchObject({
    fault: "connect",
    retryable: true,
    hint: expect.stringContaining("port") as string,
  });
  await expect(failing).rejects.toThrow("http://127.0.0.1:1");
  await expect(failing).rejects.not.toThrow("secret");
});

it("does not wait for an answer that does not come", async () => {
  const url = await listener(() => undefined);
  await expect(quick().send({ method: "GET", url, headers: {} })).rejects.toMatchObject({
    fault: "stalled",
    retryable: true,
  });
});

it("does not wait for a peer that takes nothing any more", async () => {
  const url = await listener((socket) => socket.pause());
  const body = { length: 64 * 1024 * 1024, open: () => endless() };
  await expect(
    quick({ answerTimeoutMs: 60_000 }).send({ method: "PUT", url, headers: {}, body }),
  ).rejects.toMatchObject({ fault: "stalled" });
});

it("waits for a slow answer to a large body for as long as it may", async () => {
  const { uri } = await stubServer((_request, response) => void setTimeout(() => sendJson(response, 200, {}), 600));
  const transport = quick({ answerTimeoutMs: 5000 });
  const response = await transport.send({
    method: "POST",
    url: new URL(uri),
    headers: {},
    body: Buffer.alloc(100_000),
  });
  expect(response.status).toBe(200);
  response.body.resume();
});

it("takes a refusal that comes before its body has gone", async () => {
  const url = await listener((socket) => {
    socket.once("data", () =>
      socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"),
    );
  });
  const response = await quick().send({
    method: "PUT",
    url,
    headers: {},
    body: { length: 64 * 1024 * 1024, open: () => endless() },
  });
  expect(response.status).toBe(413);
  response.body.resume();
});

it("ends at once when it is told to", async () => {
  const url = await listener(() => undefined);
  const abort = new AbortController();
  const sending = quick({ answerTimeoutMs: 60_000 }).send({ method: "GET", url, headers: {}, signal: abort.signal });
  abort.abort();
  await expect(sending).rejects.toMatchObject({ fault: "cancelled", code: "INTERRUPTED" });
  await expect(quick().send({ method: "GET", url, headers: {}, signal: abort.signal })).rejects.toMatchObject({
    fault: "cancelled",
  });
});

it("passes on what the server says of a refusal", async () => {
  const { uri } = await stubServer((_request, response) =>
    sendProblem(response, 507, "quota-exceeded", { requestId: "r-1" }),
  );
  const client = connectStaging({ uri });
  const error: unknown = await client.openLease({ namespace: "a" }).catch((thrown: unknown) => thrown);
  expect(isStagingError(error)).toBe(true);
  expect(error).toMatchObject({
    fault: "quota",
    status: 507,
    retryable: false,
    message: expect.stringMatching(/because of quota-exceeded \(request r-1\)$/) as string,
  });
  client.close();
});

it.each([
  [502, "<html>bad gateway</html>", "server", true],
  [404, "nginx", "not-found", false],
  [200, "<html>some other page</html>", "protocol", false],
])("understands a %i from something that is no staging server", async (status, body, fault, retryable) => {
  const { uri } = await stubServer(
    (_request, response) => void response.writeHead(status, { "content-type": "text/html" }).end(body),
  );
  const client = connectStaging({ uri, retry: { attempts: 1 } });
  await expect(client.capabilities()).rejects.toMatchObject({ fault, retryable });
  client.close();
});

it("sends credentials with calls that need them, fresh ones each time, and none with others", async () => {
  const { uri, requests } = await stubServer((_request, response) =>
    sendJson(response, 200, { leaseId: "l", bundles: [] }),
  );
  let count = 0;
  const client = connectStaging({ uri: uri.slice(0, -1), authorization: () => `Bearer token-${++count}` });
  await client.capabilities();
  await client.openLease({ namespace: "a" });
  await client.listBundles({ namespace: "a", limit: 5, continue: "x y" });
  await client.deleteBundle("b", { secret: "s" });
  expect(requests.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
    ["GET", "/api/v1/capabilities", undefined],
    ["POST", "/api/v1/leases", "Bearer token-1"],
    ["GET", "/api/v1/bundles?namespace=a&limit=5&continue=x+y", "Bearer token-2"],
    ["DELETE", "/api/v1/bundles/b", "Bearer s"],
  ]);
  client.close();
});

it("finds a server behind a path, and refuses what is no server's address", async () => {
  const { uri, requests } = await stubServer((_request, response) => sendJson(response, 200, {}));
  const client = connectStaging({ uri: `${uri}staging?x=1#y` });
  await client.capabilities();
  expect(requests[0]?.path).toBe("/staging/api/v1/capabilities");
  client.close();
  for (const wrong of ["", "staging:10000", "ftp://host/", "http://user:password@host/"]) {
    expect(() => connectStaging({ uri: wrong })).toThrow(expect.objectContaining({ fault: "protocol" }));
    expect(() => connectStaging({ uri: wrong })).not.toThrow(/password@/);
  }
});

function endless(): Readable {
  const chunk = Buffer.alloc(64 * 1024);
  return new Readable({
    read() {
      this.push(chunk);
    },
  });
}
