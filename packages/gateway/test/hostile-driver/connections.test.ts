import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { EventStream } from "@kindling/test-kit/event-stream";
import { expect, test } from "vitest";
import { FakeDriver, names } from "../support/fake-driver.ts";
import { dial, head, type HostileSocket } from "@kindling/test-kit/hostile-socket";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const PLACES = 40;
const FULL = ["--listen-connections", String(PLACES)];

interface Scene {
  readonly gateway: TestGateway;
  readonly driver: FakeDriver;
  readonly hostile: FakeDriver;
}

async function scene(...settings: readonly string[]): Promise<Scene> {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings });
  const [driver, hostile] = [await FakeDriver.run(cluster, "good"), await FakeDriver.run(cluster, "evil")];
  return { gateway, driver, hostile };
}

function open(sockets: readonly HostileSocket[]): number {
  return sockets.filter((one) => one.isOpen()).length;
}

function bearer({ token }: FakeDriver): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${token}` };
}

/** The names of the changed objects, up to this one. */
async function changesUntil(events: EventStream, name: string): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  while (!seen.includes(name)) {
    const change = await events.nextChange();
    if (change === undefined) break;
    const { metadata } = change.object as { readonly metadata?: { readonly name?: string } };
    seen.push(metadata?.name);
  }
  return seen;
}

/** The headers of a request for an executor without its body. */
function withheld(driver: FakeDriver): string {
  const fields = { ...bearer(driver), "Content-Type": "application/json", "Content-Length": 100_000 };
  return head("POST", driver.path("pods"), fields);
}

test.each([
  ["say nothing", "127.0.0.1", () => ""],
  ["send half a request line", "127.0.0.2", () => "GET /api/v1/name"],
  ["send headers without end", "127.0.0.2", () => "GET /api/v1 HTTP/1.1\r\nHost: x\r\nX-More: x"],
  ["withhold a body", "127.0.0.1", (evil: FakeDriver) => withheld(evil)],
])("a driver is answered while all places are taken by connections that %s", async (_what, from, begin) => {
  const { gateway, driver, hostile } = await scene(...FULL);
  const crowd = Array.from({ length: 3 * PLACES }, () => dial(gateway.uri, { from: from }));
  for (const one of crowd) one.send(begin(hostile));
  await eventually(() => expect(open(crowd)).toBeLessThanOrEqual(PLACES));
  // It has the same address as some of them, as pods of one node may.
  const client = driver.at(gateway);
  for (let count = 0; count < 20; count += 1) {
    expect(names(await client.get(driver.path("pods")))).toEqual(["good"]);
  }
  expect((await client.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
});

test("a driver keeps its watches, quiet ones too, while strangers and other drivers want its places", async () => {
  const { gateway, driver, hostile } = await scene(...FULL, "--watches-per-application", "1000");
  const client = driver.at(gateway);
  const [socket, stream] = [await driver.watch(client, "web-socket"), await driver.watch(client, "stream")];
  const crowd = Array.from({ length: 3 * PLACES }, (_, index) =>
    dial(gateway.uri, { from: `127.0.0.${2 + (index % 3)}` }),
  );
  const watch = head("GET", `${hostile.path("pods")}?watch=true`, bearer(hostile));
  for (const [index, one] of crowd.entries()) if (index % 2 === 0) one.send(watch);
  await eventually(() => expect(open(crowd)).toBeLessThan(PLACES));
  expect((await client.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
  for (const events of [socket, stream]) expect(await changesUntil(events, "good-exec-1")).toContain("good-exec-1");
});

test("there are no more places than there is memory for, and a driver is answered", async () => {
  const cluster = await TestCluster.start();
  const places = 80;
  const memory = { heap: 100 * 1024 * 1024, beside: 176 * 1024 * places };
  const gateway = await startTestGateway(cluster, { memory });
  const driver = await FakeDriver.run(cluster, "good");
  const crowd = Array.from({ length: 3 * places }, (_, index) =>
    dial(gateway.uri, { from: `127.0.0.${2 + (index % 3)}` }),
  );
  await eventually(() => expect(open(crowd)).toBeLessThanOrEqual(places));
  expect(names(await driver.at(gateway).get(driver.path("pods")))).toEqual(["good"]);
});

test("a gateway that has no memory beside its heap takes connections all the same", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { memory: { heap: 100 * 1024 * 1024, beside: 0 } });
  const driver = await FakeDriver.run(cluster, "good");
  expect(names(await driver.at(gateway).get(driver.path("pods")))).toEqual(["good"]);
});

test("one driver has no more than its part of the places, and one address of those who prove nothing", async () => {
  const { gateway, driver, hostile } = await scene("--limits-connections-per-client", "10");
  const strangers = Array.from({ length: 30 }, () => dial(gateway.uri, { from: "127.0.0.2" }));
  await eventually(() => expect(open(strangers)).toBe(10));
  const known = Array.from({ length: 30 }, (_, index) => dial(gateway.uri, { from: `127.0.1.${index + 1}` }));
  for (const one of known) one.send(head("GET", hostile.path("pods"), bearer(hostile)));
  await eventually(() => expect(open(known)).toBeLessThanOrEqual(10));
  expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
});

test("a connection that says nothing, and one whose headers do not end, goes after a moment", async () => {
  const { gateway } = await scene("--limits-headers-timeout", "1s");
  const silent = dial(gateway.uri);
  const endless = dial(gateway.uri);
  endless.send("GET /api/v1 HTTP/1.1\r\nHost: x\r\n");
  await eventually(() => expect(open([silent, endless])).toBe(0), { timeout: 5_000 });
});

test("a body that comes too slowly ends with its connection, and one that comes in time is taken", async () => {
  const { gateway, driver, hostile } = await scene("--limits-min-rate", "1k", "--limits-min-rate-window", "1s");
  const stalled = dial(gateway.uri);
  stalled.send(withheld(hostile));
  const trickling = dial(gateway.uri);
  trickling.send(withheld(hostile));
  const timer = setInterval(() => trickling.send(" "), 100);
  const body = JSON.stringify(driver.executor(1)).padEnd(10_000);
  const fields = { ...bearer(driver), "Content-Type": "application/json", "Content-Length": body.length };
  const slow = dial(gateway.uri);
  slow.send(head("POST", driver.path("pods"), fields));
  let sent = 0;
  const pieces = setInterval(() => {
    slow.send(body.slice(sent, sent + 500));
    sent += 500;
  }, 100);
  try {
    await eventually(() => expect(open([stalled, trickling])).toBe(0), { timeout: 5_000 });
    await eventually(() => expect(slow.received()).toContain("HTTP/1.1 201"), { timeout: 5_000 });
  } finally {
    clearInterval(timer);
    clearInterval(pieces);
  }
});

test("whoever proves nothing lines up for a connection each time, and whoever sends ahead of the answers is ended", async () => {
  const { gateway, driver } = await scene();
  const stranger = dial(gateway.uri);
  stranger.send(head("GET", "/version"));
  expect(await stranger.text).toMatch(/^HTTP\/1\.1 401 [^]*connection: close/i);
  const hasty = dial(gateway.uri);
  hasty.send(head("GET", driver.path("pods"), bearer(driver)).repeat(1_000));
  expect((await hasty.text).match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(0);
  expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
});

test("health checks are answered while strangers hold connections to their port", async () => {
  const { gateway } = await scene();
  const crowd = Array.from({ length: 200 }, () => dial(gateway.adminUri));
  await eventually(() => expect(open(crowd)).toBeLessThan(100));
  expect((await fetch(`${gateway.adminUri}healthz`)).status).toBe(200);
});
