import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { pod } from "../support/localizer-process.ts";
import { webServer } from "../support/web-server.ts";

const CHUNK = Buffer.alloc(64 * 1024, "x");

/** A server whose answers never end: after the head, it sends the same bytes for as long as the client reads them. */
async function floodServer(head: string, bytes: Buffer): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    const more = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.once("data", () => {
      socket.write(`${head}\r\n\r\n`);
      socket.on("drain", more);
      more();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Chunks of one byte (RFC 9112, 7.1). A reader that keeps them as they are needs a hundred times as much memory. */
const BYTE_BY_BYTE = Buffer.from("1\r\nx\r\n".repeat(10_000));
const CHUNKED = "Transfer-Encoding: chunked";

describe("hostile server", () => {
  test.each([
    ["a file", "HTTP/1.1 200 OK"],
    ["a refusal", "HTTP/1.1 503 Service Unavailable"],
  ])("that sends %s byte by byte does not take the memory", { timeout: 60_000 }, async (_, status) => {
    const { run, volume } = pod();
    const uri = await floodServer(`${status}\r\n${CHUNKED}`, BYTE_BY_BYTE);
    const names = Array.from({ length: 64 }, (_, index) => `${index}`);
    const files = names.map((name) => ({ from: { uri: `${uri}/${name}` }, to: `${volume}/${name}` }));
    const { code, failure, stderr } = await run({ files, parallel: 64, deadlineSeconds: 5 });
    expect(code, stderr.slice(-2000)).toBe(12);
    expect(failure.reason).toBe("deadline");
  });

  test("that redirects in a circle, byte by byte, does not take it either", { timeout: 60_000 }, async () => {
    const { run, volume } = pod();
    const uri = await floodServer(`HTTP/1.1 302 Found\r\nLocation: /x\r\n${CHUNKED}`, BYTE_BY_BYTE);
    const names = Array.from({ length: 64 }, (_, index) => `${index}`);
    const files = names.map((name) => ({ from: { uri: `${uri}/${name}` }, to: `${volume}/${name}` }));
    const { code, failure, stderr } = await run({ files, parallel: 64 });
    expect(code, stderr.slice(-2000)).toBe(10);
    expect(failure.reason).toBe("redirect");
  });

  test.each([
    ["without end", "HTTP/1.1 200 OK"],
    ["without end, from within", "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999"],
  ])("that sends a file %s is cut off at the limit, and nothing of it stays", async (_, head) => {
    const { run, volume, tree } = pod();
    const uri = await floodServer(head, CHUNK);
    const files = [{ from: { uri: `${uri}/a` }, to: `${volume}/a` }];
    const { code, failure } = await run({ files, limits: { maxFileBytes: 5_000_000 } });
    expect(code).toBe(13);
    expect(failure).toMatchObject({
      reason: "too-large",
      message: `${uri}/a: larger than the 5000000 bytes that are allowed`,
      hint: expect.stringContaining("limits.maxFileBytes") as string,
    });
    expect(tree()).toEqual({});
  });

  test("that announces a file of just the limit may send it", async () => {
    const { run, volume, tree } = pod();
    const server = await webServer((_, response) => response.end("hello"));
    const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }];
    expect((await run({ files, limits: { maxFileBytes: 5 } })).code).toBe(0);
    expect(tree()).toEqual({ a: "644 hello" });
  });

  test("that says to wait for years is asked again before", { timeout: 30_000 }, async () => {
    const { run, volume } = pod();
    const server = await webServer((_, response) => response.writeHead(503, { "retry-after": "999999999" }).end());
    const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }];
    const { stderr } = await run({ files, deadlineSeconds: 1 });
    expect(Number(/again in (\d+) s/.exec(stderr)?.[1])).toBeLessThanOrEqual(301);
  });
});
