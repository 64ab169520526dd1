import { describe, expect, test } from "vitest";
import { ManualClock } from "@kindling/outside";
import { followLogs, type KubeClient } from "../../src/index.ts";
import { eventually } from "../../src/conformance/eventually.ts";
import { stored } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { inTurn, sendJson, startStub, type Answer } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

async function collect(lines: AsyncIterable<string>, seen: string[] = []): Promise<string[]> {
  for await (const line of lines) seen.push(line);
  return seen;
}

describe("a log", () => {
  test("is asked for with all options", async () => {
    const stub = await startStub((_request, response) => response.end());
    await testClient(stub.url).logs("p", {
      namespace: "n",
      container: "main",
      follow: true,
      previous: true,
      sinceSeconds: 5,
      sinceTime: "2026-01-01T00:00:00Z",
      tailLines: 10,
      limitBytes: 100,
      timestamps: true,
    });
    expect(stub.requests[0]).toMatchObject({
      url:
        "/api/v1/namespaces/n/pods/p/log?container=main&follow=true&previous=true&sinceSeconds=5" +
        "&sinceTime=2026-01-01T00%3A00%3A00Z&tailLines=10&limitBytes=100&timestamps=true",
      headers: { accept: "*/*" },
    });
  });

  test("comes in lines, however it is cut on the way, empty ones and a last one without an end included", async () => {
    const stub = await startStub((_request, response) => {
      const bytes = [...Buffer.from("größe\n\n  漢字\nlast")];
      const next = (): void => {
        const byte = bytes.shift();
        if (byte === undefined) response.end();
        else response.write(Buffer.from([byte]), () => setImmediate(next));
      };
      next();
    });
    const log = await testClient(stub.url).logs("p");
    expect(await collect(log.lines())).toEqual(["größe", "", "  漢字", "last"]);
  });

  test("comes in bytes as they are", async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0a, 0xc3]);
    const stub = await startStub((_request, response) => response.end(bytes));
    const chunks: Uint8Array[] = [];
    for await (const chunk of await testClient(stub.url).logs("p")) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(bytes);
  });

  test("of a container that says nothing for long can be followed, although not even headers come", async () => {
    let speak = (): void => undefined;
    const stub = await startStub((_request, response) => (speak = () => void response.end("at last\n")));
    const clock = new ManualClock();
    const client = testClient(stub.url, { clock, requestTimeoutMs: 50 });
    const asking = client.logs("p", { follow: true });
    await eventually("the request arrived", () => stub.requests.length === 1);
    await clock.advance(60_000);
    speak();
    expect(await collect((await asking).lines())).toEqual(["at last"]);
    const failing = caught(client.logs("p"));
    await eventually("the second request arrived", () => stub.requests.length === 2);
    await clock.advance(50);
    expect(await failing).toMatchObject({ kind: "timeout" });
  });

  test("of a container that has not started is refused", async () => {
    const stub = await startStub((_request, response) => sendStatus(response, 400, "BadRequest"));
    expect(await caught(testClient(stub.url).logs("p"))).toMatchObject({ kind: "status", status: 400 });
  });

  test.each(["leaving the loop", "close()", "the signal"])("is given up by %s: its connection ends", async (way) => {
    let isClosed = false;
    const stub = await startStub((_request, response) => {
      response.on("close", () => {
        isClosed = true;
      });
      response.write("first\n");
    });
    const controller = new AbortController();
    const log = await testClient(stub.url).logs("p", { follow: true, signal: controller.signal });
    const reading = (async () => {
      for await (const line of log.lines()) {
        expect(line).toBe("first");
        if (way === "leaving the loop") break;
        if (way === "close()") log.close();
        if (way === "the signal") controller.abort();
      }
    })();
    const outcome = await reading.then(
      () => "ended",
      () => "aborted",
    );
    expect(outcome).toBe(way === "the signal" ? "aborted" : "ended");
    await eventually("the server sees the end", () => isClosed);
  });
});

describe("following a log", () => {
  const T = "2026-01-01T00:00:";
  const runningPod = stored({ status: { containerStatuses: [{ name: "main", state: { running: {} } }] } });
  const finishedPod = stored({
    status: { containerStatuses: [{ name: "main", state: { terminated: { exitCode: 0 } } }] },
  });

  function follow(client: KubeClient, options = {}, seen: string[] = []): Promise<string[]> {
    return collect(followLogs(client, "p", { container: "main", clock: fastClock(50), ...options }), seen);
  }

  /** Sends lines, and breaks the connection when the reader has them; otherwise lines in transit would be lost. */
  function thenBreak(text: string, seen: readonly string[]): Answer {
    return (_request, response) => {
      response.write(text);
      const lines = text.split("\n").length - 1;
      void eventually("the lines came", () => seen.length === lines).then(() => response.socket?.resetAndDestroy());
    };
  }

  test("goes on after a broken connection, without losing or repeating a line", async () => {
    const seen: string[] = [];
    const log: Answer[] = [
      thenBreak(`${T}00.1Z one\n${T}01.10Z two\n${T}01.100000000Z three\n`, seen),
      // From the whole second on; two lines had exactly the last seen time.
      (_request, response) => response.end(`${T}01.1Z two\n${T}01.1Z three\n${T}01.1Z four\n${T}02Z five\n`),
    ];
    const answer = inTurn(...log);
    const stub = await startStub((request, response) => {
      if (request.url.includes("/log")) answer(request, response);
      else sendJson(response, finishedPod);
    });
    const lines = await follow(testClient(stub.url), { tailLines: 100 }, seen);
    expect(lines).toEqual(["one", "two", "three", "four", "five"]);
    const [first, second] = stub.requests;
    expect(first?.url).toContain("tailLines=100");
    expect(second?.url).toContain("sinceTime=2026-01-01T00%3A00%3A01Z");
    expect(second?.url).not.toContain("tailLines");
  });

  test("goes on when the kubelet follows a file that was rotated, without losing or repeating a line", async () => {
    const rotated: Answer = (_request, response) => void response.write(`${T}00Z one\n${T}01Z two\n`);
    const answer = inTurn(rotated, (_request, response) => response.end(`${T}01Z two\n${T}02Z three\n${T}03Z four\n`));
    const looks = inTurn(
      // Nothing new, at first.
      (_request, response) => response.end(`${T}01Z two\n`),
      (_request, response) => response.end(`${T}03Z four\n`),
    );
    const stub = await startStub((request, response) => {
      if (!request.url.includes("/log")) sendJson(response, stub.requests.length > 4 ? finishedPod : runningPod);
      else if (request.url.includes("tailLines=1&")) looks(request, response);
      else answer(request, response);
    });
    expect(await follow(testClient(stub.url), { clock: fastClock(500) })).toEqual(["one", "two", "three", "four"]);
  });

  test("goes on when the log ends although the container runs", async () => {
    const answer = inTurn(
      (_request, response) => response.end(`${T}01Z one\n`),
      (_request, response) => sendJson(response, runningPod),
      (_request, response) => response.end(`${T}01Z one\n${T}02Z two\n`),
      (_request, response) => sendJson(response, finishedPod),
      (_request, response) => response.end(`${T}02Z two\n`),
    );
    const stub = await startStub(answer);
    expect(await follow(testClient(stub.url), { timestamps: true })).toEqual([`${T}01Z one`, `${T}02Z two`]);
    expect(stub.requests).toHaveLength(5);
  });

  test("looks once more at its end: lines may come after the container's end, even all of them", async () => {
    for (const followed of ["", `${T}01Z one\n`]) {
      const answer = inTurn(
        (_request, response) => response.end(followed),
        (_request, response) => sendJson(response, finishedPod),
        (_request, response) => response.end(`${T}01Z one\n${T}02Z two\n`),
      );
      const stub = await startStub(answer);
      expect(await follow(testClient(stub.url))).toEqual(["one", "two"]);
      expect(stub.requests.map(({ url }) => url.includes("follow=true"))).toEqual([true, false, false]);
    }
  });

  const NOTICE = `unable to retrieve container logs for containerd://${"5".repeat(64)}`;

  test("comes whole although the kubelet says first that it has none, or in the middle that it has none any more", async () => {
    for (const begin of ["", `${T}01Z one\n`]) {
      const answer = inTurn(
        (_request, response) => response.end(`${begin}${NOTICE}`),
        (_request, response) => sendJson(response, finishedPod),
        (_request, response) => response.end(`${T}01Z one\n${T}02Z two\n`),
      );
      const stub = await startStub(answer);
      expect(await follow(testClient(stub.url))).toEqual(["one", "two"]);
    }
  });

  test("is what the kubelet says, once, if that is all there is", async () => {
    const stub = await startStub((request, response) => {
      if (request.url.includes("/log")) response.end(NOTICE);
      else sendJson(response, stub.requests.length > 6 ? finishedPod : runningPod);
    });
    expect(await follow(testClient(stub.url))).toEqual([NOTICE]);
  });

  test("is complete although the second look is refused", async () => {
    const answer = inTurn(
      (_request, response) => response.end(`${T}01Z one\n`),
      (_request, response) => sendJson(response, finishedPod),
      (_request, response) => sendStatus(response, 400, "BadRequest"),
    );
    const stub = await startStub(answer);
    expect(await follow(testClient(stub.url))).toEqual(["one"]);
  });

  test("ends when the pod is gone meanwhile", async () => {
    const seen: string[] = [];
    const answer = inTurn(thenBreak(`${T}01Z one\n`, seen), (_request, response) =>
      sendStatus(response, 404, "NotFound"),
    );
    const stub = await startStub(answer);
    expect(await follow(testClient(stub.url), {}, seen)).toEqual(["one"]);
  });

  test("fails when it cannot even begin", async () => {
    const stub = await startStub((_request, response) => sendStatus(response, 403, "Forbidden"));
    expect(await caught(follow(testClient(stub.url)))).toMatchObject({ kind: "status", status: 403 });
  });

  test("stops at the caller's signal, also between two connections", async () => {
    const stub = await startStub((request, response) => {
      if (request.url.includes("/log")) response.end(`${T}01Z one\n`);
      else sendJson(response, runningPod);
    });
    const controller = new AbortController();
    const failing = caught(follow(testClient(stub.url), { signal: controller.signal }));
    await eventually("it came back", () => stub.requests.length > 3);
    controller.abort();
    expect(await failing).toMatchObject({ kind: "aborted" });
  });
});
