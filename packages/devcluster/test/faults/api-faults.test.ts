import { at, namesOf } from "@kindling/test-kit/case-context";
import type { WatchEvent } from "@kindling/test-kit/event-stream";
import { eventually } from "@kindling/test-kit/eventually";
import { ManualClock } from "@kindling/outside";
import { describe, expect, test, vi } from "vitest";
import { type Scene, testCluster } from "../support/test-cluster.ts";

async function configMap({ context }: Scene, name: string): Promise<string> {
  const made = await context.create(context.path("configmaps"), { metadata: { name } });
  return String(at(made, "metadata.resourceVersion"));
}

function brief(event: WatchEvent | undefined): string {
  return event === undefined ? "end" : `${event.type} ${String(at(event.object, "metadata.name"))}`;
}

describe("errors instead of answers", () => {
  test("come as often as they are wanted, with the time to wait", async () => {
    const { cluster, client, context } = await testCluster();
    cluster.faults.injectStatus(429, { times: 2, retryAfterSeconds: 3 });
    const answers = [1, 2, 3].map(async () => await client.get(context.path("pods")));
    const statuses = (await Promise.all(answers)).map(({ status, headers }) => [status, headers["retry-after"]]);
    expect(statuses).toEqual([
      [429, "3"],
      [429, "3"],
      [200, undefined],
    ]);
  });

  test("are a Status as the server writes it", async () => {
    const { cluster, client, context } = await testCluster();
    const restore = cluster.faults.injectStatus(500, { message: "etcdserver: request timed out" });
    const { status, body } = await client.get(context.path("pods"));
    expect([status, body]).toEqual([
      500,
      expect.objectContaining({
        kind: "Status",
        status: "Failure",
        code: 500,
        reason: "InternalError",
        message: "etcdserver: request timed out",
      }),
    ]);
    restore();
    expect((await client.get(context.path("pods"))).status).toBe(200);
  });

  test("hit what they are meant for, and nothing is done then", async () => {
    const { cluster, client, context } = await testCluster();
    cluster.faults.injectStatus(503, { when: ({ verb, resource }) => verb === "create" && resource === "configmaps" });
    const created = await client.post(context.path("configmaps"), { metadata: { name: "one" } });
    expect(created.status).toBe(503);
    expect((await client.get(context.path("configmaps", "one"))).status).toBe(404);
    expect((await client.post(context.path("secrets"), { metadata: { name: "one" } })).status).toBe(201);
  });
});

test("latency delays answers", async () => {
  const clock = new ManualClock();
  const { cluster, client } = await testCluster({ clock });
  const [arrived, answered] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const restore = cluster.faults.injectLatency(1000, {
    when({ path }) {
      if (path === "/version") arrived();
      return path === "/version";
    },
  });
  const answer = client.get("/version").then(() => answered());
  await eventually(() => expect(arrived).toHaveBeenCalledOnce());
  await clock.advance(999);
  expect((await client.get("/healthz")).status).toBe(200);
  expect(answered).not.toHaveBeenCalled();
  await clock.advance(1);
  await answer;
  restore();
  // While the clock stands still, a delayed request would not be answered.
  expect((await client.get("/version")).status).toBe(200);
});

test("resets cut connections instead of answering", async () => {
  const { cluster, client } = await testCluster();
  cluster.faults.injectReset({ times: 1 });
  await expect(client.get("/version")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect((await client.get("/version")).status).toBe(200);
});

test("all connections can be cut at once, watches too", async () => {
  const { cluster, client, context } = await testCluster();
  const streams = await Promise.all(
    [1, 2].map(async () => await context.watch(`${context.path("secrets")}?watch=true`)),
  );
  cluster.faults.resetConnections();
  for (const stream of streams) await expect(stream.next()).rejects.toMatchObject({ code: "ECONNRESET" });
  expect((await client.get("/version")).status).toBe(200);
});

describe("watch events", () => {
  test("can get lost", async () => {
    const scene = await testCluster();
    const { cluster, context } = scene;
    const from = await configMap(scene, "first");
    const stream = await context.watch(`${context.path("configmaps")}?watch=true&resourceVersion=${from}`);
    cluster.faults.dropWatchEvents(({ type, resource }) => type === "ADDED" && resource === "configmaps", 1);
    for (const name of ["lost", "seen"]) await configMap(scene, name);
    expect(brief(await stream.next())).toBe("ADDED seen");
  });

  test("are not lost to those who list again", async () => {
    const scene = await testCluster();
    const { cluster, client, context } = scene;
    cluster.faults.dropWatchEvents();
    await configMap(scene, "lost");
    expect(namesOf(await client.get(context.path("configmaps")))).toContain("lost");
  });
});

test("lists can be of the past, where the client allows it", async () => {
  const scene = await testCluster();
  const { cluster, client, context } = scene;
  for (const name of ["a", "b", "c"]) await configMap(scene, name);
  const restore = cluster.faults.staleLists(2);
  const names = async (query: string): Promise<string[]> =>
    namesOf(await client.get(`${context.path("configmaps")}${query}`)).filter((name) => name.length === 1);
  expect(await names("?resourceVersion=0")).toEqual(["a"]);
  expect(await names("")).toEqual(["a", "b", "c"]);
  restore();
  expect(await names("?resourceVersion=0")).toEqual(["a", "b", "c"]);
});

test("compaction ends what goes on from the past", async () => {
  const scene = await testCluster();
  const { cluster, client, context } = scene;
  const from = await configMap(scene, "a");
  await configMap(scene, "b");
  cluster.faults.compact();
  const answer = await client.get(`${context.path("configmaps")}?watch=true&resourceVersion=${from}&timeoutSeconds=1`);
  expect(answer.text).toContain('"code":410');
  expect(answer.text).toContain("too old resource version");
});

describe("a restart", () => {
  test("keeps objects and the address, and forgets the history", async () => {
    const scene = await testCluster();
    const { cluster, client, context } = scene;
    const from = await configMap(scene, "a");
    const { url } = cluster;
    await configMap(scene, "b");
    const stream = await context.watch(`${context.path("configmaps")}?watch=true`);
    await cluster.faults.restart();
    expect(cluster.url).toBe(url);
    await expect(stream.rest()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect((await client.get(context.path("configmaps", "a"))).status).toBe(200);
    const old = await client.get(`${context.path("configmaps")}?watch=true&resourceVersion=${from}&timeoutSeconds=1`);
    expect(old.text).toContain('"code":410');
  });

  test("works over HTTPS, with the same credentials", async () => {
    const { cluster, client } = await testCluster({ tls: true });
    await cluster.faults.restart();
    expect((await client.get("/api/v1/nodes")).status).toBe(200);
  });
});

test("all faults can be switched off together", async () => {
  const { cluster, client, context } = await testCluster();
  const { faults } = cluster;
  faults.injectStatus(500);
  faults.injectReset();
  faults.injectLatency(60_000);
  faults.staleLists(5);
  faults.dropWatchEvents();
  faults.clear();
  expect((await client.get(`${context.path("pods")}?resourceVersion=0`)).status).toBe(200);
});
