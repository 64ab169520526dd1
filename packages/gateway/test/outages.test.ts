import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { FakeDriver, items, names } from "./support/fake-driver.ts";
import { startTestGateway } from "./support/test-gateway.ts";

test("what happened while the gateway could not watch is made up for by a list", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  for (const id of [1, 2, 3]) await client.post(driver.path("pods"), driver.executor(id));
  await eventually(async () => {
    const phases = items(await client.get(driver.path("pods"))).map(({ status }) => status?.phase);
    expect(phases).toEqual(["Running", "Running", "Running", "Running"]);
  });
  const stream = await driver.watch(client, "web-socket");
  for (const name of ["drv-exec-1", "drv-exec-2", "drv-exec-3"]) {
    expect(await stream.nextChange()).toMatchObject({ type: "ADDED", object: { metadata: { name } } });
  }

  // No watch and no list works until everything has happened; after that, the history does not reach back far enough.
  cluster.api.fault = () => ({ kind: "status", status: 503 });
  cluster.api.endWatches();
  await cluster.delete(await driver.made("drv-exec-2"), { gracePeriodSeconds: 0 });
  await cluster.send("PATCH", driver.path("pods", "drv-exec-3"), { metadata: { labels: { seen: "later" } } });
  cluster.devCluster.faults.compact();
  cluster.api.fault = () => undefined;

  const events = [await stream.nextChange(), await stream.nextChange()];
  expect(events).toMatchObject([
    { type: "DELETED", object: { metadata: { name: "drv-exec-2" } } },
    { type: "MODIFIED", object: { metadata: { name: "drv-exec-3", labels: { seen: "later" } } } },
  ]);
  expect(names(await client.get(driver.path("pods")))).toEqual(["drv", "drv-exec-1", "drv-exec-3"]);
});

test("while the API server is away, drivers ask for executors all the same, and get them later", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--auth-cache", "0s"] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  expect((await client.get(driver.path("pods"))).status).toBe(200);
  cluster.api.fault = () => ({ kind: "reset", carriedOut: false });
  cluster.api.breakConnections();
  expect(await client.post(driver.path("pods"), driver.executor(1))).toMatchObject({ status: 201 });
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({
      status: { conditions: [{ reason: "AwaitingCluster" }] },
    });
  });
  // The gateway cannot promise what only the cluster can do.
  const map = {
    metadata: { name: "spark-exec-0a1b2c3d4e5f6071-conf-map", labels: { "spark-app-selector": driver.app } },
  };
  expect((await client.post(driver.path("configmaps"), map)).body).toMatchObject({
    code: 503,
    reason: "ServiceUnavailable",
  });
  cluster.api.fault = () => undefined;
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({ status: { phase: "Running" } });
  });
});

test("a gateway that starts while the API server is away serves when it is back", async () => {
  const cluster = await TestCluster.start();
  const driver = await FakeDriver.run(cluster, "drv");
  cluster.api.fault = () => ({ kind: "status", status: 503 });
  const starting = startTestGateway(cluster);
  await eventually(() => expect(cluster.api.requests.length).toBeGreaterThan(0));
  cluster.api.fault = () => undefined;
  const gateway = await starting;
  expect((await fetch(new URL("readyz", gateway.adminUri))).status).toBe(200);
  expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
});

test("what is made while the gateway cannot watch is known by its answers, and missed when it is gone", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  expect((await client.get(driver.path("pods"))).status).toBe(200);
  const stream = await driver.watch(client, "stream");
  let isLost = false;
  cluster.api.fault = ({ method, path, query }) => {
    if (query.get("watch") === "true") return { kind: "status", status: 503 };
    if (method !== "POST" || !path.endsWith("/pods") || isLost) return undefined;
    // The first create is carried out, and its answer is lost.
    isLost = true;
    return { kind: "reset", carriedOut: true };
  };
  cluster.api.endWatches();
  await client.post(driver.path("pods"), driver.executor(1));
  const made = await driver.made("drv-exec-1");
  await eventually(async () => {
    const { body } = await client.get(driver.path("pods", "drv-exec-1"));
    expect(body).toMatchObject({ metadata: { annotations: { "gateway.kindling/uid": expect.any(String) as string } } });
  });
  await cluster.delete(made, { gracePeriodSeconds: 0 });
  cluster.devCluster.faults.compact();
  cluster.api.fault = () => undefined;
  let event = await stream.nextChange();
  while (event?.type !== "DELETED") event = await stream.nextChange();
  expect(event.object).toMatchObject({ metadata: { name: "drv-exec-1" } });
});
