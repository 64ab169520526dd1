import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ManualClock } from "@kindling/outside";
import { isExpired, resources, type KubeClient, type WatchEvent } from "../../src/index.ts";
import { eventually } from "../../src/conformance/eventually.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { startStub, type Answer } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

function line(type: string, name: string, resourceVersion: string): string {
  return `${JSON.stringify({ type, object: { kind: "Pod", metadata: { name, uid: `uid-of-${name}`, resourceVersion } } })}\n`;
}

async function collect(events: AsyncIterable<WatchEvent>): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of events) {
    seen.push(
      `${event.type} ${event.type === "BOOKMARK" ? "-" : event.object.metadata?.name} ${event.resourceVersion}`,
    );
  }
  return seen;
}

function watchStub(text: string): ReturnType<typeof startStub> {
  return startStub((_request, response) => response.end(text));
}

describe("a watch", () => {
  test("asks for what is wanted, for bookmarks, and for an end after a random time", async () => {
    const stub = await watchStub("");
    const client = testClient(stub.url, { random: () => 0.5 });
    const selection = { labelSelector: "a=b", fieldSelector: "metadata.name=p", resourceVersion: "7" };
    await collect(client.watch(resources.pods, selection));
    await collect(client.watch(resources.pods, { allNamespaces: true, timeoutSeconds: 5 }));
    expect(stub.requests.map((request) => request.url)).toEqual([
      "/api/v1/namespaces/default/pods?labelSelector=a%3Db&fieldSelector=metadata.name%3Dp&resourceVersion=7" +
        "&timeoutSeconds=360&allowWatchBookmarks=true&watch=true",
      "/api/v1/pods?timeoutSeconds=5&allowWatchBookmarks=true&watch=true",
    ]);
  });

  test("gives events and bookmarks with their versions, and ends with the stream", async () => {
    const stub = await watchStub(
      line("ADDED", "a", "1") + line("MODIFIED", "a", "2") + line("BOOKMARK", "", "5") + line("DELETED", "a", "6"),
    );
    const events = await collect(testClient(stub.url).watch(resources.pods));
    expect(events).toEqual(["ADDED a 1", "MODIFIED a 2", "BOOKMARK - 5", "DELETED a 6"]);
  });

  test("gives what came before the stream broke", async () => {
    const stub = await watchStub(line("ADDED", "a", "1") + line("ADDED", "b", "2").slice(0, -5));
    const seen: string[] = [];
    const error = await caught(
      (async () => {
        for await (const event of testClient(stub.url).watch(resources.pods)) seen.push(event.resourceVersion);
      })(),
    );
    expect(seen).toEqual(["1"]);
    expect(error).toMatchObject({ kind: "protocol" });
    expect(error.message).toContain("the stream ended in the middle of an event");
  });

  test.each([
    [
      "in the stream",
      (_request, response) =>
        response.end(`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}\n`),
    ],
    ["as an answer", (_request, response) => sendStatus(response, 410, "Expired")],
  ] satisfies [string, Answer][])("tells 410 %s from all else", async (_where, answer) => {
    const stub = await startStub(answer);
    const error = await caught(collect(testClient(stub.url).watch(resources.pods)));
    expect(isExpired(error)).toBe(true);
    expect(error.message).toContain("GET /api/v1/namespaces/default/pods?");
  });

  test.each([
    [
      "a type that is unknown",
      '{"type":"RENAMED","object":{"metadata":{"resourceVersion":"1"}}}',
      'the unknown type "RENAMED"',
    ],
    ["no object", '{"type":"ADDED"}', "an event has no object"],
    ["no version", '{"type":"ADDED","object":{"metadata":{}}}', "no resourceVersion"],
    ["no JSON", "<html>", "an event is not JSON"],
  ])("refuses an event with %s", async (_what, text, words) => {
    const stub = await watchStub(`${text}\n`);
    const error = await caught(collect(testClient(stub.url).watch(resources.pods)));
    expect(error.kind).toBe("protocol");
    expect(error.message).toContain(words);
  });

  test("refuses an event that is longer than allowed, without waiting for its end", async () => {
    const stub = await startStub((_request, response) => void response.write("x".repeat(2_000)));
    const error = await caught(collect(testClient(stub.url).watch(resources.pods, { maxEventBytes: 1_000 })));
    expect(error).toMatchObject({ kind: "protocol" });
    expect(error.message).toContain("an event is longer than 1000 bytes");
  });

  test("accepts an event just as long as allowed", async () => {
    const text = line("ADDED", "x".repeat(500), "1");
    const stub = await watchStub(text);
    const watch = testClient(stub.url).watch(resources.pods, { maxEventBytes: text.length - 1 });
    expect(await collect(watch)).toHaveLength(1);
  });

  test("notices silence, and only silence", async () => {
    let sendBookmark = (): void => undefined;
    const stub = await startStub((_request, response) => {
      response.write(line("ADDED", "a", "1"));
      sendBookmark = () => void response.write(line("BOOKMARK", "", "2"));
    });
    const clock = new ManualClock();
    const client = testClient(stub.url, { clock });
    const seen: string[] = [];
    const failing = caught(
      (async () => {
        for await (const event of client.watch(resources.pods, { idleTimeoutMs: 500 })) seen.push(event.type);
      })(),
    );
    await eventually("the object came", () => seen.length === 1);
    await clock.advance(400);
    sendBookmark();
    await eventually("the bookmark came", () => seen.length === 2);
    await clock.advance(400);
    expect(await Promise.race([failing, Promise.resolve("open")])).toBe("open");
    await clock.advance(100);
    expect(await failing).toMatchObject({ kind: "timeout", phase: "idle", milliseconds: 500 });
    expect(seen).toEqual(["ADDED", "BOOKMARK"]);
  });

  test("does not take a slow reader for silence", async () => {
    const stub = await watchStub(line("ADDED", "a", "1") + line("ADDED", "b", "2"));
    const seen: string[] = [];
    const clock = new ManualClock();
    for await (const event of testClient(stub.url, { clock }).watch(resources.pods, { idleTimeoutMs: 20 })) {
      await clock.advance(60);
      seen.push(event.resourceVersion);
    }
    expect(seen).toEqual(["1", "2"]);
  });

  test("slows the server down for a slow reader instead of keeping all in memory", async () => {
    const event = line("MODIFIED", "x".repeat(1_000_000), "1");
    const EVENTS = 60;
    let handedOver = 0;
    const stub = await startStub((_request, response) => {
      const next = (): void => {
        if (handedOver === EVENTS) response.end();
        else response.write(event, () => setImmediate(() => next()));
        handedOver++;
      };
      next();
    });
    const events = testClient(stub.url).watch(resources.pods)[Symbol.asyncIterator]();
    await events.next();
    await delay(300);
    // Only as much as the kernel's buffers hold.
    expect(handedOver).toBeLessThan(EVENTS / 2);
    let count = 1;
    while ((await events.next()).done !== true) count++;
    expect(count).toBe(EVENTS);
  });

  test("that is left closes its connection", async () => {
    let closed = 0;
    const stub = await startStub((_request, response) => {
      response.on("close", () => closed++);
      response.write(line("ADDED", "a", "1"));
    });
    for await (const event of testClient(stub.url).watch(resources.pods)) {
      expect(event.type).toBe("ADDED");
      break;
    }
    await eventually("the server sees the end", () => closed === 1);
  });

  test("is aborted by the caller's signal", async () => {
    const stub = await startStub((_request, response) => response.flushHeaders());
    const error = await caught(
      collect(testClient(stub.url).watch(resources.pods, { signal: AbortSignal.timeout(30) })),
    );
    expect(error).toMatchObject({ kind: "aborted" });
  });
});

test("hundreds of watches do not hold requests up", async () => {
  const stub = await startStub((request, response) => {
    if (request.url.includes("watch")) response.flushHeaders();
    else asAsked(request, response);
  });
  const client: KubeClient = testClient(stub.url, { maxInFlight: 4 });
  const watching = Array.from({ length: 200 }, () => caught(collect(client.watch(resources.pods))));
  await client.get(resources.pods, "p");
  client.close();
  const ends = await Promise.all(watching);
  expect(new Set(ends.map((error) => error.kind))).toEqual(new Set(["aborted"]));
});
