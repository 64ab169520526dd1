import fc from "fast-check";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../src/conformance/eventually.ts";
import { startFaultServer, type FaultServer } from "../../src/conformance/index.ts";
import { compareResourceVersions, resources, startReflector, type Reflector } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { testClient } from "../fixtures/test-client.ts";
import { seenByName } from "../fixtures/seen-by-name.ts";

interface Scene {
  readonly server: FaultServer;
  readonly reflector: Reflector;
  /** Names of the pods that the cache has. */
  readonly cached: () => string[];
}

async function setUp(): Promise<Scene> {
  const server = await startFaultServer();
  onTestFinished(() => server.stop());
  server.put("a", "1");
  const store = seenByName();
  const client = testClient(server.url);
  const reflector = startReflector(client, resources.pods, { sink: store, clock: fastClock(20) });
  onTestFinished(() => reflector.stop());
  const cached = (): string[] => [...store.values()].map(({ metadata }) => metadata?.name ?? "");
  await eventually("it watches", () => server.openWatches === 1);
  return { server, reflector, cached };
}

/** Whether a promise is still open after all pending events have come. */
async function isOpen(promise: Promise<unknown>, server: FaultServer, reflector: Reflector): Promise<boolean> {
  let open = true;
  const close = (): void => void (open = false);
  promise.then(close, close);
  const version = server.bookmark();
  await eventually("the bookmark has come", () => reflector.resourceVersion === version);
  return open;
}

describe("a cache that is waited for", () => {
  test("has seen one's own write, once its event has come", async () => {
    const { server, reflector, cached } = await setUp();
    const version = String(server.history.resourceVersion + 1);
    const seen = reflector.whenSeen(version);
    expect(await isOpen(seen, server, reflector)).toBe(true);
    expect(server.put("b", "1")).toBe(version);
    await seen;
    expect(cached()).toEqual(["a", "b"]);
  });

  test("has seen what is older than it, at once", async () => {
    const { reflector } = await setUp();
    await expect(reflector.whenSeen("101")).resolves.toBeUndefined();
    await expect(reflector.whenSeen("9")).resolves.toBeUndefined();
  });

  test("has seen by a bookmark what its selection leaves out", async () => {
    const { server, reflector } = await setUp();
    const elsewhere = String(server.history.resourceVersion + 1);
    const seen = reflector.whenSeen(elsewhere);
    server.put("b", "1");
    server.bookmark();
    await expect(seen).resolves.toBeUndefined();
  });

  test("has seen it by a new list, where the watch was too old", async () => {
    const { server, reflector, cached } = await setUp();
    await server.pause();
    const version = server.put("b", "1");
    const seen = reflector.whenSeen(version);
    server.forget();
    await server.resume();
    await seen;
    expect(cached()).toEqual(["a", "b"]);
    expect(server.requests.filter(({ kind }) => kind === "list").length).toBeGreaterThan(1);
  });

  test("is waited for by many, each until its own version", async () => {
    const { server, reflector } = await setUp();
    const [early, late] = [reflector.whenSeen("102"), reflector.whenSeen("103")];
    server.put("b", "1");
    await early;
    expect(await isOpen(late, server, reflector)).toBe(true);
    server.put("c", "1");
    await late;
  });

  test("is not waited for any longer than the signal says, nor than the reflector runs", async () => {
    const { reflector } = await setUp();
    const controller = new AbortController();
    const own = caught(reflector.whenSeen("999", controller.signal));
    const other = caught(reflector.whenSeen("999"));
    controller.abort(new Error("enough"));
    expect(await own).toMatchObject({ kind: "aborted", cause: { message: "enough" } });
    await reflector.stop();
    expect(await other).toMatchObject({ kind: "aborted" });
    expect(await caught(reflector.whenSeen("999"))).toMatchObject({ kind: "aborted" });
    await expect(reflector.whenSeen("101")).resolves.toBeUndefined();
  });

  test.each(["", "abc", "1a", "-1", "01", "1.5", "x".repeat(10_000)])(
    "cannot be waited for with what is no resourceVersion: %s",
    async (version) => {
      const { reflector } = await setUp();
      const error = await caught(reflector.whenSeen(version));
      expect(error).toMatchObject({ kind: "protocol" });
      expect(error.message.length).toBeLessThan(200);
    },
  );
});

test("resource versions are compared as whole numbers of any length", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), fc.bigInt({ min: 0n, max: 2n ** 200n }), (one, other) => {
      const wanted = one < other ? -1 : one > other ? 1 : 0;
      expect(Math.sign(compareResourceVersions(String(one), String(other)) ?? Number.NaN)).toBe(wanted);
    }),
  );
  expect(compareResourceVersions("1", "a")).toBeUndefined();
});
