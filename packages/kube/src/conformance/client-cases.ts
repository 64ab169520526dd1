import assert from "node:assert/strict";
import { sleep, systemClock } from "@kindling/outside";
import { eventually } from "./eventually.ts";
import { startFaultServer, type FaultServer, type SeenRequest } from "./fault-server.ts";
import type { ListFault, WatchFault } from "./faults.ts";

/** A client under test that keeps a view of the pods in namespace `default`. */
export interface PodFollower {
  /** The annotation `value` of each pod that it knows, by name. */
  view(): ReadonlyMap<string, string>;
  stop(): Promise<void> | void;
}

/** Starts a client. It must notice a dead connection within a second or two, and retry in fractions of a second. */
export type StartPodFollower = (server: string) => PodFollower | Promise<PodFollower>;

/** One thing that every client which follows a list of objects must do correctly. */
export interface ClientCase {
  readonly name: string;
  readonly run: (start: StartPodFollower) => Promise<void>;
}

/** Lines in a stream that are not events; a client that continues after such a line may have missed events. */
const MALFORMED_LINES: readonly string[] = [
  "{]",
  "null",
  "5",
  "[]",
  "{}",
  '{"object":null}',
  '{"type":5,"object":{}}',
  '{"type":"ADDED","object":null}',
  '{"type":"ADDED","object":{"metadata":null}}',
  '{"type":"DELETED","object":{"metadata":{"name":"first"}}}',
  '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":""}}}',
  '{"type":"ERROR","object":null}',
  '{"type":"ERROR","object":{"message":"no Status"}}',
];

/** Answers that are not lists; none of them says that there are no pods. */
const MALFORMED_LISTS: readonly string[] = [
  "",
  "<html>",
  "null",
  "[]",
  "{}",
  '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"}}',
  '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}',
  '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[null]}',
  '{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}',
];

interface Scene {
  readonly server: FaultServer;
  readonly follower: PodFollower;
  /** Waits until the follower knows exactly the existing pods. */
  readonly agrees: () => Promise<void>;
}

function clientCase(
  name: string,
  play: (scene: Scene) => Promise<void>,
  prepare: (server: FaultServer) => void = () => undefined,
): ClientCase {
  return {
    name,
    async run(start) {
      const server = await startFaultServer();
      server.put("first", "größe");
      server.put("second", "b");
      prepare(server);
      const follower = await start(server.url);
      try {
        await play({ server, follower, agrees: () => agreement(server, follower) });
      } finally {
        await follower.stop();
        await server.stop();
      }
    },
  };
}

async function agreement(server: FaultServer, follower: PodFollower): Promise<void> {
  const isSame = (): boolean => {
    const view = follower.view();
    const pods = [...server.history.pods.values()];
    return view.size === pods.length && pods.every((pod) => view.get(pod.name) === pod.value);
  };
  await eventually("the client knows just the pods that there are", isSame).catch((error: unknown) => {
    assert.deepEqual(
      new Map(follower.view()),
      new Map([...server.history.pods.values()].map((pod) => [pod.name, pod.value])),
    );
    throw error;
  });
}

function seen(server: FaultServer, kind: SeenRequest["kind"]): readonly SeenRequest[] {
  return server.requests.filter((request) => request.kind === kind);
}

/** A watch fails in this way, and then the client must see what it missed. */
function survives(name: string, fault: WatchFault, times = 1): ClientCase {
  return clientCase(
    `survives a watch that ${name}`,
    async ({ server, agrees }) => {
      await eventually("a watch was opened", () => seen(server, "watch").length > 0);
      server.put("third", "c");
      server.remove("second");
      server.put("first", "ä changed");
      await agrees();
      server.put("fourth", "d");
      await agrees();
    },
    (server) => server.failWatches(...Array.from({ length: times }, () => fault)),
  );
}

function survivesLists(name: string, ...faults: ListFault[]): ClientCase {
  return clientCase(
    `survives lists that ${name}`,
    async ({ agrees }) => agrees(),
    (server) => server.failLists(...faults),
  );
}

/** What a client of list and watch must survive; see the names of the cases. Each case needs its own server. */
export const clientCases: readonly ClientCase[] = [
  clientCase("follows what is created, changed and deleted", async ({ server, agrees }) => {
    await agrees();
    server.put("third", "c");
    await agrees();
    server.put("first", "changed");
    server.remove("second");
    await agrees();
  }),
  clientCase("goes on from the last event after the server ends a watch", async ({ server, agrees }) => {
    await agrees();
    await eventually("a watch is open", () => server.openWatches === 1);
    const version = server.put("third", "c");
    await agrees();
    server.endWatches();
    await eventually("there is a second watch", () => seen(server, "watch").length === 2);
    assert.equal(seen(server, "watch")[1]?.query.get("resourceVersion"), version);
    assert.equal(seen(server, "list").length, 1, "no second list was needed");
    server.put("fourth", "d");
    await agrees();
  }),
  clientCase("asks for bookmarks and goes on from the last one", async ({ server, agrees }) => {
    await agrees();
    await eventually("a watch is open", () => server.openWatches === 1);
    server.forget();
    const version = server.bookmark();
    server.put("third", "c");
    await agrees();
    server.remove("third");
    await agrees();
    const newest = server.bookmark();
    assert.notEqual(version, newest);
    // The bookmark follows the last event on the same stream, so when the event is seen, the bookmark has been sent.
    const last = server.put("fourth", "d");
    await agrees();
    server.endWatches();
    await eventually("there is a second watch", () => seen(server, "watch").length === 2);
    assert.equal(seen(server, "watch")[1]?.query.get("resourceVersion"), last);
    assert.equal(seen(server, "list").length, 1, "no second list was needed");
  }),
  clientCase("is spared a list when a quiet watch breaks after a bookmark", async ({ server, agrees }) => {
    await agrees();
    await eventually("a watch is open", () => server.openWatches === 1);
    server.forget();
    // The end follows the bookmark on the same stream.
    server.bookmark();
    server.endWatches();
    await eventually("there is a second watch", () => seen(server, "watch").length === 2);
    await eventually("it is open", () => server.openWatches === 1);
    assert.equal(seen(server, "list").length, 1, "no second list was needed");
  }),
  clientCase("lists in pages", async ({ server, agrees }) => {
    await agrees();
    assert.ok(Number(seen(server, "list")[0]?.query.get("limit")) > 0, "the first list has a limit");
  }),
  clientCase(
    "sees all of many pages",
    async ({ agrees }) => agrees(),
    (server) => {
      for (let index = 0; index < 1234; index++) server.put(`pod-${index}`, String(index));
    },
  ),
  clientCase("forgets what was deleted while it could not see (410 as an answer)", async ({ server, agrees }) => {
    await agrees();
    await eventually("a watch is open", () => server.openWatches === 1);
    // Nothing of this reaches the watch.
    server.failWatches({ kind: "reset" });
    server.resetWatches();
    server.remove("second");
    server.put("third", "c");
    server.forget();
    await agrees();
    assert.ok(seen(server, "list").length >= 2, "it listed again");
  }),
  survives("reports 410 inside the stream", { kind: "error-event", code: 410 }),
  survives("reports an internal error inside the stream", { kind: "error-event", code: 500 }),
  survives("is answered with 410", { kind: "status", status: 410 }),
  survives("is answered with 500 three times", { kind: "status", status: 500 }, 3),
  survives("is answered with 429 three times", { kind: "status", status: 429, retryAfterSeconds: 0 }, 3),
  survives("is refused by a broken connection", { kind: "reset" }, 2),
  survives("breaks in the middle of an event", { kind: "half-then-reset" }),
  survives("ends in the middle of an event", { kind: "half-then-close" }),
  survives("falls silent, with the connection open", { kind: "silence" }),
  survives("falls silent in the middle of an event", { kind: "half-then-silence" }),
  ...MALFORMED_LINES.map((line) => survives(`sends the line ${line}`, { kind: "line", line })),
  survives("sends a line without an end", { kind: "endless-line", bytes: 24 * 1024 * 1024 }),
  survives("comes byte by byte", { kind: "byte-by-byte" }),
  survives("ends at once, three times", { kind: "close" }, 3),
  survivesLists(
    "break, fail and are throttled",
    { kind: "reset" },
    { kind: "status", status: 500 },
    { kind: "status", status: 429 },
  ),
  ...MALFORMED_LISTS.map((text) => survivesLists(`come as ${text === "" ? "nothing" : text}`, { kind: "text", text })),
  clientCase(
    "does not hammer a server that ends each watch at once",
    async ({ server }) => {
      await eventually("a watch was opened", () => seen(server, "watch").length > 0);
      await sleep(systemClock, 1_000);
      assert.ok(seen(server, "watch").length < 20, `there were ${seen(server, "watch").length} watches in a second`);
    },
    (server) => server.failWatches(...Array.from({ length: 1_000 }, () => ({ kind: "close" }) as const)),
  ),
  clientCase(
    "does not hammer a server that ends each watch after one event",
    async ({ server }) => {
      await eventually("a watch was opened", () => seen(server, "watch").length > 0);
      await sleep(systemClock, 1_000);
      assert.ok(seen(server, "watch").length < 20, `there were ${seen(server, "watch").length} watches in a second`);
    },
    (server) => server.failWatches(...Array.from({ length: 10_000 }, () => ({ kind: "bookmark-then-close" }) as const)),
  ),
  clientCase(
    "does not hammer a server that lists, and has forgotten at once what it listed",
    async ({ server }) => {
      await eventually("a watch was opened", () => seen(server, "watch").length > 0);
      await sleep(systemClock, 1_000);
      assert.ok(seen(server, "list").length < 20, `there were ${seen(server, "list").length} lists in a second`);
    },
    (server) => server.failWatches(...Array.from({ length: 10_000 }, () => ({ kind: "status", status: 410 }) as const)),
  ),
  clientCase("comes back after the server was away", async ({ server, agrees }) => {
    await agrees();
    await server.pause();
    server.remove("first");
    server.put("third", "c");
    await server.resume();
    await agrees();
  }),
  clientCase("asks nothing more once it is stopped", async ({ server, follower, agrees }) => {
    await agrees();
    await eventually("a watch is open", () => server.openWatches === 1);
    await follower.stop();
    await eventually("its watch is closed", () => server.openWatches === 0);
    const { length } = server.requests;
    await sleep(systemClock, 200);
    assert.equal(server.requests.length, length);
  }),
];
