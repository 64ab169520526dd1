import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../src/conformance/eventually.ts";
import { startFaultServer } from "../../src/conformance/index.ts";
import { resources, startReflector, type WatchEvent } from "../../src/index.ts";
import { listOf } from "../fixtures/as-asked.ts";
import { testClient } from "../fixtures/test-client.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

interface PodRecord {
  readonly name: string;
  readonly phase: string;
}

const recordOf = ({ metadata, status }: Pod): PodRecord => ({
  name: metadata?.name ?? "",
  phase: status?.phase ?? "Unknown",
});

test("a reflector gives its sink small records, of lists and of events", async () => {
  const server = await startFaultServer();
  server.put("a", "1");
  const lists: (readonly PodRecord[])[] = [];
  const events: WatchEvent<PodRecord>[] = [];
  const reflector = startReflector(testClient(server.url), resources.pods, {
    keep: recordOf,
    sink: { replace: (items) => void lists.push(items), apply: (event) => void events.push(event) },
  });
  onTestFinished(() => reflector.stop());
  await eventually("it watches", () => server.openWatches === 1);
  server.put("b", "1");
  server.remove("a");
  server.bookmark();
  await eventually("it was told of all", () => events.length === 3);
  expect(lists).toEqual([[{ name: "a", phase: "Unknown" }]]);
  expect(events).toEqual([
    { type: "ADDED", object: { name: "b", phase: "Unknown" }, resourceVersion: "102" },
    { type: "DELETED", object: { name: "a", phase: "Unknown" }, resourceVersion: "103" },
    { type: "BOOKMARK", resourceVersion: "103" },
  ]);
  await reflector.stop();
  await server.stop();
});

test("of a long list, no more whole objects are in memory than a page has, or two while one takes the other's place", async () => {
  // Before each page, all garbage of this process is collected.
  const pages = 6;
  const pageSize = 100;
  const whole: WeakRef<object>[] = [];
  const alive: number[] = [];
  const stub = await startStub((request, response) => {
    const { searchParams } = new URL(request.url, "http://server");
    if (searchParams.has("watch")) {
      response.flushHeaders();
      return;
    }
    collectGarbage();
    alive.push(whole.filter((reference) => reference.deref() !== undefined).length);
    const page = Number(searchParams.get("continue") ?? "0");
    const items = Array.from({ length: pageSize }, (_, index) => ({ metadata: { name: `pod-${page}-${index}` } }));
    sendJson(response, listOf(items, page + 1 < pages ? { continue: String(page + 1) } : {}));
  });
  const kept: PodRecord[] = [];
  const reflector = startReflector(testClient(stub.url), resources.pods, {
    pageSize,
    keep(pod) {
      whole.push(new WeakRef(pod));
      return recordOf(pod);
    },
    sink: { replace: (items) => void kept.push(...items), apply: () => undefined },
  });
  onTestFinished(() => reflector.stop());
  await reflector.synced;
  expect(kept).toHaveLength(pages * pageSize);
  expect(alive).toHaveLength(pages);
  expect(Math.max(...alive)).toBeLessThanOrEqual(2 * pageSize);
  await reflector.stop();
});
