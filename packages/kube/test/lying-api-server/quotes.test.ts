import { createServer, type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { resources, type KubeClient, type KubeError } from "../../src/index.ts";
import { quoted, shownPath } from "../../src/errors/quoted.ts";
import { listOf } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { sendJson, startStub, type Answer } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";

const LONG = "ä".repeat(1_500_000);
const KIB = 1024;
/** The length of method, path and the client's own words. */
const OWN_WORDS = 400;

/** How much of the server's text is in an error, in any member. */
function quotedBytes(error: KubeError): { message: number; hint: number; causes: number; whole: number } {
  const size = (text: string): number => Buffer.byteLength(text);
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return {
    message: size(error.message),
    hint: size(error.hint ?? ""),
    causes: Math.max(0, ...causes.map(size)),
    whole: size(JSON.stringify(Object.entries(error))),
  };
}

function status(changes: object): Answer {
  const body = { kind: "Status", apiVersion: "v1", status: "Failure", code: 422, reason: "Invalid", ...changes };
  return (_request, response) => sendJson(response, body, 422);
}

const answers: readonly (readonly [what: string, answer: Answer])[] = [
  ["a message", status({ message: LONG })],
  ["a reason", status({ reason: LONG })],
  ["details", status({ details: { kind: LONG, name: LONG, group: LONG, uid: LONG } })],
  ["one cause", status({ details: { causes: [{ field: LONG, reason: LONG, message: LONG }] } })],
  [
    "many causes",
    status({
      details: { causes: Array.from({ length: 10_000 }, () => ({ field: "f", reason: "r", message: "m".repeat(80) })) },
    }),
  ],
  ["many lines", status({ message: "a\n".repeat(1_000_000) })],
  ["a page", (_request, response) => void response.writeHead(502).end(`<html>${LONG}</html>`)],
  ["a success that is none", (_request, response) => response.end(LONG)],
  ["another kind", (_request, response) => sendJson(response, { kind: LONG, apiVersion: LONG })],
  ["a header that has no end", (_request, response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${LONG}`)],
];

describe("an error quotes at most a kibibyte of an answer with", () => {
  test.each(answers)("%s", async (_what, answer) => {
    const stub = await startStub(answer);
    const client = testClient(stub.url, { retry: { limit: 0 } });
    for (const call of [
      () => client.get(resources.pods, "p"),
      () => client.create(resources.pods, { metadata: { name: "p" } }),
    ]) {
      const sizes = quotedBytes(await caught(call()));
      expect(sizes.message).toBeLessThan(KIB + OWN_WORDS);
      expect(sizes.hint).toBeLessThan(KIB);
      expect(sizes.causes).toBeLessThanOrEqual(KIB);
      // Server message, reason, causes and details, each of bounded length, besides the message.
      expect(sizes.whole).toBeLessThan(6 * KIB);
    }
  });

  test("an event", async () => {
    for (const event of [
      { type: LONG, object: {} },
      { type: "ERROR", object: { kind: "Status", code: 500, message: LONG } },
    ]) {
      const stub = await startStub((_request, response) => response.end(`${JSON.stringify(event)}\n`));
      const error = await caught(testClient(stub.url).watch(resources.pods)[Symbol.asyncIterator]().next());
      expect(quotedBytes(error).message).toBeLessThan(KIB + OWN_WORDS);
    }
  });

  test("a continue token, which goes into the next request's path", async () => {
    const token = "t".repeat(8_000);
    const stub = await startStub((request, response) => {
      if (request.url.includes("continue")) response.end("null");
      else sendJson(response, listOf([], { continue: token }));
    });
    const error = await caught(testClient(stub.url).listAll(resources.pods));
    expect(stub.requests[1]?.url).toContain(token);
    expect(quotedBytes(error).whole).toBeLessThan(2 * KIB);
  });

  test("what is no HTTP", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(LONG);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const sizes = quotedBytes(await caught(testClient(`http://127.0.0.1:${port}`).get(resources.pods, "p")));
    expect(sizes.message).toBeLessThan(KIB);
    expect(sizes.causes).toBeLessThanOrEqual(KIB);
  });
});

test("the first causes of many are kept", async () => {
  const causes = Array.from({ length: 100 }, (_, index) => ({
    field: `spec.f${index}`,
    reason: "Bad",
    message: "bad",
  }));
  const stub = await startStub(status({ details: { causes } }));
  const error = await caught(testClient(stub.url).get(resources.pods, "p"));
  expect(error).toMatchObject({ kind: "status", causes: causes.slice(0, 16) });
});

test("a refusal that quotes an object whole is a Status all the same", async () => {
  const message = `spec.env: Invalid value: ${"x".repeat(1_500_000)}`;
  const causes = [{ field: "spec.env", reason: "FieldValueInvalid", message }];
  const stub = await startStub(status({ message, details: { kind: "Pod", causes } }));
  const error = await caught(testClient(stub.url).get(resources.pods, "p"));
  expect(error).toMatchObject({ kind: "status", status: 422, reason: "Invalid", details: { kind: "Pod" } });
});

test("of an error's body no more is read than is looked at, and its status is told although it never ends", async () => {
  let sent = 0;
  const stub = await startStub((_request, response) => {
    response.writeHead(403);
    const more = (): void => {
      sent += 65_536;
      if (!response.destroyed) response.write("x".repeat(65_536), () => setImmediate(more));
    };
    more();
  });
  const error = await caught(testClient(stub.url).get(resources.pods, "p"));
  expect(error).toMatchObject({ kind: "status", status: 403 });
  // Only as much as the kernel's buffers hold.
  expect(sent).toBeLessThan(64 * KIB * KIB);
});

test("the status of an error whose body breaks off is told", async () => {
  const stub = await startStub((_request, response) => {
    response.writeHead(409, { "content-length": 1_000 });
    response.write("{", () => response.socket?.resetAndDestroy());
  });
  const call = (client: KubeClient): Promise<unknown> => client.create(resources.pods, { metadata: { name: "p" } });
  expect(await caught(call(testClient(stub.url)))).toMatchObject({
    kind: "status",
    status: 409,
    mayHaveHappened: false,
  });
});

describe("a quoted text", () => {
  test("is cut at whole characters, within its bytes", () => {
    expect(quoted("short")).toBe("short");
    for (const text of ["ä".repeat(600), "漢".repeat(400), "🎉".repeat(300), "a".repeat(1_025)]) {
      const cut = quoted(text);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(KIB);
      expect(text.startsWith(cut.slice(0, -1))).toBe(true);
      expect(cut.endsWith("…")).toBe(true);
      expect(cut).not.toContain("\uFFFD");
    }
    expect(quoted("a".repeat(KIB))).toHaveLength(KIB);
  });

  test("as a path keeps what tells which request it was", () => {
    const path = "/api/v1/namespaces/default/pods?limit=500&labelSelector=a%3Db";
    expect(shownPath(path)).toBe(path);
    expect(shownPath(`${path}&continue=${"x".repeat(500)}&watch=true`)).toBe(
      `${path}&continue=${"x".repeat(40)}…&watch=true`,
    );
  });
});
