import { createServer, type Server } from "node:http";
import { type Clock, systemClock } from "@kindling/outside";
import { eventually } from "@kindling/test-kit/eventually";
import { dial, head } from "@kindling/test-kit/hostile-socket";
import { expect, onTestFinished, test } from "vitest";
import {
  closeServer,
  type ConnectionGuard,
  guardConnections,
  type GuardedHandlers,
  type GuardOptions,
  listen,
  watchReaders,
} from "../../src/index.ts";

interface Guarded {
  readonly uri: string;
  readonly server: Server;
  readonly guard: ConnectionGuard;
  readonly cuts: string[];
}

async function guarded(handlers: GuardedHandlers, options: Partial<GuardOptions> = {}): Promise<Guarded> {
  const server = createServer({ headersTimeout: 60_000 });
  const cuts: string[] = [];
  const guard = guardConnections(server, handlers, {
    limits: { most: 100, mostPerClient: 50, isProxy: () => false },
    clock: systemClock,
    onCut: (reason) => void cuts.push(reason),
    ...options,
  });
  const port = await listen(server, "127.0.0.1", 0);
  onTestFinished(() => closeServer(server));
  return { uri: `http://127.0.0.1:${port}/`, server, guard, cuts };
}

const FAST = { minBytesPerSecond: 1_000, windowSeconds: 0.3 };

test("a body that does not come ends with its connection; one that this side does not read waits", async () => {
  const late: (() => void)[] = [];
  const { uri, cuts } = await guarded(
    {
      request(request, response) {
        if (request.url === "/later") late.push(() => request.resume());
        else request.resume();
        request.on("end", () => response.end("done"));
      },
    },
    { bodies: FAST },
  );
  const stalled = dial(uri);
  stalled.send(head("POST", "/", { "Content-Length": 100 }));
  const waiting = dial(uri);
  waiting.send(head("POST", "/later", { "Content-Length": 100 }), "x".repeat(50));
  await stalled.text;
  expect(cuts).toEqual(["slow-body"]);
  await eventually(() => expect(stalled.isOpen()).toBe(false));
  expect(waiting.isOpen()).toBe(true);
  // The rest must be there when it is read: a sender with a pause at that time would count as slow again.
  waiting.send("x".repeat(50));
  for (const read of late) read();
  expect(await waiting.status).toBe(200);
});

test("what speaks another protocol is a request under way until its connection ends", async () => {
  const { uri, guard } = await guarded({
    request: (_request, response) => void response.end(),
    upgrade(_request, socket) {
      socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
      socket.on("end", () => socket.end()).resume();
    },
  });
  const peer = dial(uri);
  peer.send(head("GET", "/", { Connection: "Upgrade", Upgrade: "something" }));
  await eventually(() => expect(peer.received()).toContain("101"));
  expect([...guard.all()].map(({ requests }) => requests)).toEqual([1]);
  peer.close();
  await eventually(() => expect(guard.count).toBe(0));
});

test("whoever does not read an answer, or what comes by another protocol, is ended", async () => {
  const much = Buffer.alloc(32 * 1024 * 1024);
  const { uri, guard } = await guarded({
    request: (_request, response) => void response.end(much),
    upgrade: (_request, socket) => void socket.on("error", () => undefined).write(much),
  });
  const cuts: string[] = [];
  // A day passes in each second: a reader may pause for as long as it would need for the bytes that it has taken.
  const fast: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() * 86_400 };
  const readers = watchReaders({
    connections: () => guard.all(),
    clock: fast,
    stallSeconds: 0.2,
    queues: () => Promise.resolve(undefined),
    onCut: () => void cuts.push("stalled"),
  });
  onTestFinished(() => readers.close());
  const [plain, upgraded] = [dial(uri), dial(uri)];
  for (const one of [plain, upgraded]) one.socket.pause();
  plain.send(head("GET", "/"));
  upgraded.send(head("GET", "/", { Connection: "Upgrade", Upgrade: "something" }));
  await eventually(() => expect(cuts).toEqual(["stalled", "stalled"]));
  await eventually(() => expect(guard.count).toBe(0));
});

test("all places are for those who use them: whoever holds one in silence makes room", async () => {
  const { uri, guard, cuts } = await guarded(
    {
      request(request, response) {
        guard.spanOf(request)?.connection.identified("somebody");
        response.end("done");
      },
    },
    { limits: { most: 10, mostPerClient: 5, isProxy: () => false } },
  );
  const silent = Array.from({ length: 20 }, (_, index) => dial(uri, { from: `127.0.0.${2 + (index % 4)}` }));
  await eventually(() => expect(silent.filter((one) => one.isOpen()).length).toBeLessThanOrEqual(10));
  const known = dial(uri);
  known.send(head("GET", "/"));
  expect(await known.status).toBe(200);
  for (let count = 0; count < 20; count += 1) dial(uri, { from: "127.0.0.9" });
  await eventually(() => expect(cuts.length).toBeGreaterThanOrEqual(20));
  expect(known.isOpen()).toBe(true);
  known.send(head("GET", "/"));
  await eventually(() => expect(known.received().match(/HTTP\/1\.1 200/g)).toHaveLength(2));
});
