import { describe, expect, test } from "vitest";
import { eventually } from "../../src/conformance/eventually.ts";
import { startFaultServer, type FaultServer } from "../../src/conformance/index.ts";
import {
  startReflector,
  resources,
  type KubeObjectLike,
  type Reflector,
  type ReflectorOptions,
} from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { testClient } from "../fixtures/test-client.ts";

interface Scene {
  readonly server: FaultServer;
  /** The calls of the sink, in order. */
  readonly told: string[];
  readonly start: (options?: Partial<ReflectorOptions>) => Reflector;
}

async function setUp(): Promise<Scene> {
  const server = await startFaultServer();
  server.put("a", "1");
  const told: string[] = [];
  const sink: ReflectorOptions["sink"] = {
    replace: (items, version) =>
      void told.push(`replace ${items.map((item) => item.metadata?.name).join(",")} ${version}`),
    apply: (event) => void told.push(`${event.type} ${event.resourceVersion}`),
  };
  return {
    server,
    told,
    start: (options = {}) =>
      startReflector<KubeObjectLike>(testClient(server.url), resources.pods, {
        sink,
        clock: fastClock(20),
        ...options,
      }),
  };
}

describe("a reflector", () => {
  test("tells its sink the list, then each event, and where it is", async () => {
    const { server, told, start } = await setUp();
    const reflector = start();
    await reflector.synced;
    expect(told).toEqual(["replace a 101"]);
    expect(reflector.resourceVersion).toBe("101");
    await eventually("it watches", () => server.openWatches === 1);
    server.put("b", "1");
    server.bookmark();
    await eventually("it was told of both", () => told.length === 3);
    expect(told.slice(1)).toEqual(["ADDED 102", "BOOKMARK 102"]);
    await reflector.stop();
    await server.stop();
  });

  test("begins with a given state instead of a list", async () => {
    const { server, told, start } = await setUp();
    server.put("b", "1");
    const reflector = start({ initial: { items: [{ metadata: { name: "a" } }], resourceVersion: "101" } });
    await eventually("it caught up", () => told.length === 2);
    expect(told).toEqual(["replace a 101", "ADDED 102"]);
    expect(server.requests.map((request) => request.kind)).toEqual(["watch"]);
    await reflector.stop();
    await server.stop();
  });

  test("never calls a slow sink twice at once", async () => {
    const { server, start } = await setUp();
    let running = 0;
    let most = 0;
    const seen: string[] = [];
    const slowly = async (what: string): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      seen.push(what);
    };
    const reflector = start({
      sink: { replace: () => slowly("replace"), apply: (event) => slowly(event.resourceVersion) },
    });
    await eventually("it watches", () => server.openWatches === 1);
    for (let count = 0; count < 5; count++) server.put("b", String(count));
    await eventually("all came", () => seen.length === 6);
    expect(seen).toEqual(["replace", "102", "103", "104", "105", "106"]);
    expect(most).toBe(1);
    await reflector.stop();
    await server.stop();
  });

  test("tells what it is recovering from, until it has recovered", async () => {
    const { server, start } = await setUp();
    const errors: string[] = [];
    server.failLists(...Array.from({ length: 5 }, () => ({ kind: "status", status: 403 }) as const));
    const reflector = start({ onError: (error) => errors.push(error.message) });
    await eventually("it failed", () => reflector.lastError !== undefined);
    expect(reflector.lastError).toMatchObject({ kind: "status", status: 403 });
    await reflector.synced;
    expect(reflector.lastError).toBeUndefined();
    expect(errors).toHaveLength(5);
    await reflector.stop();
    await server.stop();
  });

  test("ends when its sink throws: nobody could trust the sink's view any more", async () => {
    const { server, start } = await setUp();
    const bug = new Error("a bug in the sink");
    const reflector = start({
      sink: {
        replace: () => undefined,
        apply: () => {
          throw bug;
        },
      },
    });
    const ended = reflector.ended.catch((error: unknown) => error);
    await eventually("it watches", () => server.openWatches === 1);
    server.put("b", "1");
    expect(await ended).toBe(bug);
    await eventually("its watch is closed", () => server.openWatches === 0);
    await server.stop();
  });

  test("that is stopped before its first list says so to whoever waits for it", async () => {
    const { server, start } = await setUp();
    server.failLists(...Array.from({ length: 100 }, () => ({ kind: "status", status: 403 }) as const));
    const reflector = start();
    const waiting = caught(reflector.synced);
    await eventually("it tried", () => server.requests.length > 0);
    await reflector.stop();
    expect(await waiting).toMatchObject({ kind: "aborted" });
    await expect(reflector.ended).resolves.toBeUndefined();
    await server.stop();
  });
});
