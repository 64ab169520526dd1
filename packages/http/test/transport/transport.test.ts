import { createServer, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { systemClock } from "@kindling/outside";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { expect, it, onTestFinished } from "vitest";
import { httpTransport, readText, withoutProxy, type HttpTransport, type TransportOptions } from "../../src/index.ts";

/** A listener that does not speak HTTP by itself. */
async function listener(handle: (socket: Socket) => void): Promise<URL> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const quick = (options: Partial<TransportOptions> = {}): HttpTransport => {
  const transport = httpTransport({
    clock: systemClock,
    tls: {},
    proxies: withoutProxy,
    maxConnections: 2,
    connectTimeoutMs: 300,
    stallTimeoutMs: 300,
    answerTimeoutMs: 300,
    ...options,
  });
  onTestFinished(() => transport.close());
  return transport;
};

const PATIENT = { connectTimeoutMs: 60_000, stallTimeoutMs: 60_000, answerTimeoutMs: 60_000 };

it("says where nobody listens, and that it may pass", async () => {
  const failing = quick().send({ method: "GET", url: new URL("http://127.0.0.1:1/path?secret=x"), headers: {} });
  await expect(failing).rejects.toMatchObject({
    kind: "unreachable",
    code: "ECONNREFUSED",
    retryable: true,
    mayHaveArrived: false,
    message: "http://127.0.0.1:1: connection refused",
    hint: expect.stringContaining("port") as string,
  });
});

it("does not wait for an answer that does not come", async () => {
  const url = await listener(() => undefined);
  await expect(quick().send({ method: "GET", url, headers: {} })).rejects.toMatchObject({
    kind: "timeout",
    phase: "answer",
    retryable: true,
    mayHaveArrived: true,
  });
});

it("does not wait for a peer that takes nothing any more", async () => {
  const url = await listener((socket) => socket.pause());
  const body = { length: 64 * 1024 * 1024, open: () => endless() };
  const sending = quick({ answerTimeoutMs: 60_000 }).send({ method: "PUT", url, headers: {}, body });
  await expect(sending).rejects.toMatchObject({ kind: "timeout", phase: "send" });
});

it("does not wait for TLS that does not come about", async () => {
  const url = await listener(() => undefined);
  url.protocol = "https:";
  const sending = quick().send({ method: "GET", url: new URL(url.href.replace("http:", "https:")), headers: {} });
  await expect(sending).rejects.toMatchObject({ kind: "timeout", phase: "connect", mayHaveArrived: false });
});

it("does not wait for the rest of an answer that stops", async () => {
  const url = await listener((socket) =>
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")),
  );
  const response = await quick().send({ method: "GET", url, headers: {} });
  await expect(text(response.body)).rejects.toMatchObject({ kind: "timeout", phase: "idle", retryable: true });
});

it("waits for its own reader for as long as that takes", async () => {
  const bytes = Buffer.alloc(4 * 1024 * 1024, "x");
  const stub = await startStub((_request, response) => response.end(bytes));
  const { body } = await quick().send({ method: "GET", url: new URL(stub.url), headers: {} });
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(await text(body)).toHaveLength(bytes.length);
});

it("waits for a slow answer to a large body for as long as it may", async () => {
  const { url } = await startStub((_request, response) => void setTimeout(() => sendJson(response, {}), 600));
  const transport = quick({ answerTimeoutMs: 25_000 });
  const body = Buffer.alloc(100_000);
  const response = await transport.send({ method: "POST", url: new URL(url), headers: {}, body });
  expect(response.status).toBe(200);
  response.body.resume();
});

it("takes one limit for the whole of an answer instead of all others", async () => {
  const url = await listener((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(drip));
    });
  });
  const response = await quick(PATIENT).send({ method: "GET", url, headers: {}, timeoutMs: 300 });
  const reading = readText(response, { mostBytes: 1000 });
  await expect(reading).rejects.toMatchObject({ kind: "timeout", phase: "whole", milliseconds: 300 });
});

it("takes a refusal that comes before its body has gone", async () => {
  const url = await listener((socket) => {
    socket.once("data", () =>
      socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"),
    );
  });
  const body = { length: 64 * 1024 * 1024, open: () => endless() };
  const response = await quick().send({ method: "PUT", url, headers: {}, body });
  expect(response.status).toBe(413);
  response.body.resume();
});

it("rejects with what the body of a request broke with", async () => {
  const { url } = await startStub((_request, response) => response.end());
  const fault = new Error("the file is gone");
  const body = { length: 10, open: () => new Readable({ read: () => undefined }).destroy(fault) };
  await expect(quick().send({ method: "PUT", url: new URL(url), headers: {}, body })).rejects.toBe(fault);
});

it("ends at once when it is told to, also in the middle of an answer", async () => {
  const silent = await listener(() => undefined);
  const abort = new AbortController();
  const { signal } = abort;
  const sending = quick(PATIENT).send({ method: "GET", url: silent, headers: {}, signal });
  const half = await listener((socket) =>
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome")),
  );
  const response = await quick(PATIENT).send({ method: "GET", url: half, headers: {}, signal });
  abort.abort(new Error("enough"));
  await expect(sending).rejects.toMatchObject({ kind: "aborted", cause: { message: "enough" } });
  await expect(text(response.body)).rejects.toMatchObject({ kind: "aborted" });
  await expect(quick().send({ method: "GET", url: half, headers: {}, signal })).rejects.toMatchObject({
    kind: "aborted",
  });
});

it("ends what is under way when it is closed, and takes nothing more", async () => {
  const url = await listener(() => undefined);
  const transport = quick(PATIENT);
  const request = { method: "GET", url, headers: {} } as const;
  const sending = transport.send(request);
  setTimeout(() => transport.close(), 50);
  await expect(sending).rejects.toMatchObject({ kind: "aborted" });
  await expect(transport.send(request)).rejects.toMatchObject({ kind: "aborted", words: "the client is closed" });
});

it("keeps connections, and opens no more than it may", async () => {
  const stub = await startStub((_request, response) => sendJson(response, {}));
  const transport = quick(PATIENT);
  const ask = async (): Promise<string> =>
    readText(await transport.send({ method: "GET", url: new URL(stub.url), headers: {} }), { mostBytes: 100 });
  await Promise.all(Array.from({ length: 20 }, ask));
  await ask();
  expect(stub.requests).toHaveLength(21);
  expect(stub.connections).toBeLessThanOrEqual(2);
});

it("sends a path as it is where it is given apart from the URL", async () => {
  const stub = await startStub((_request, response) => sendJson(response, {}));
  const request = { method: "GET", url: new URL("/own", stub.url), path: "/a/../b/%2e%2e?c", headers: {} } as const;
  (await quick().send(request)).body.resume();
  expect(stub.requests[0]?.url).toBe("/a/../b/%2e%2e?c");
});

it.each(["ftp://host/", "file:///etc/passwd"])("has no way to %s", async (url) => {
  const sending = quick().send({ method: "GET", url: new URL(url), headers: {} });
  await expect(sending).rejects.toMatchObject({ kind: "options" });
});

function endless(): Readable {
  const chunk = Buffer.alloc(64 * 1024);
  return new Readable({
    read() {
      this.push(chunk);
    },
  });
}
