import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { EventStream } from "@kindling/test-kit/event-stream";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver, names } from "./support/fake-driver.ts";
import { startTestGateway } from "./support/test-gateway.ts";

async function eventsUntil(stream: EventStream, isLast: (type: string, pod: Pod) => boolean): Promise<[string, Pod][]> {
  const events: [string, Pod][] = [];
  for (;;) {
    const event = await stream.nextChange();
    if (event === undefined) throw new Error(`the watch ended after ${JSON.stringify(events)}`);
    const pod = event.object as Pod;
    events.push([event.type, pod]);
    if (isLast(event.type, pod)) return events;
  }
}

describe.each(["web-socket", "stream"] as const)("a driver that watches over a %s", (how) => {
  test("sees an executor Pending at once and Running later, as one and the same pod", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    const client = driver.at(gateway);
    expect((await client.get(driver.path("pods", "drv"))).body).toMatchObject({ status: { phase: "Running" } });
    const stream = await driver.watch(client, how);

    const created = await client.post(driver.path("pods"), driver.executor(1));

    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ status: { phase: "Pending" } });
    const events = await eventsUntil(stream, (_, { status }) => status?.phase === "Running");
    expect(events[0]).toMatchObject(["ADDED", { metadata: { name: "drv-exec-1" }, status: { phase: "Pending" } }]);
    const { uid, creationTimestamp } = (created.body as Pod).metadata ?? {};
    for (const [, { metadata }] of events) expect(metadata).toMatchObject({ uid, creationTimestamp });
    expect(events.slice(1).every(([type]) => type === "MODIFIED")).toBe(true);
    expect((await driver.made("drv-exec-1")).metadata?.uid).not.toBe(uid);
  });
});

test("an executor that is not admitted is in no cluster, and says why it waits", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, {
    settings: ["--capacity", "cpu=1"],
  });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(
    driver.path("pods"),
    driver.executor(1, {
      spec: { containers: [{ name: "spark-kubernetes-executor", resources: { requests: { cpu: "4" } } }] },
    }),
  );
  const message = "asks for 4 CPUs, and that is more than the whole capacity can ever give: ask for less, or raise it";
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({
      status: { conditions: [{ type: "PodScheduled", status: "False", message }] },
    });
  });
  expect(await driver.executorsInCluster()).toEqual([]);
  expect(gateway.overview().applications).toMatchObject([{ virtualExecutors: ["drv-exec-1"] }]);
  expect(cluster.api.writes.map(({ path }) => path)).toEqual(["/apis/authentication.k8s.io/v1/tokenreviews"]);
  const removed = await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  expect(names(removed)).toEqual(["drv-exec-1"]);
  expect(names(await client.get(driver.path("pods")))).toEqual(["drv"]);
});

test("executors are deleted by selectors, in the cluster as well, and the driver sees them go", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const stream = await driver.watch(client, "web-socket");
  for (const id of [1, 2, 3]) await client.post(driver.path("pods"), driver.executor(id));
  await eventually(async () => expect(await driver.executorsInCluster()).toHaveLength(3));
  const some = `${driver.executorSelector}${encodeURIComponent(",spark-exec-id in (1, 3)")}`;
  const answer = await client.delete(`${driver.path("pods")}?labelSelector=${some}`, {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: "Background",
  });
  expect(answer.status).toBe(200);
  let gone = 0;
  await eventsUntil(stream, (type) => type === "DELETED" && (gone += 1) === 2);
  expect(names(await client.get(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`))).toEqual([
    "drv-exec-2",
  ]);
  expect(await driver.executorsInCluster()).toEqual(["drv-exec-2"]);
  expect((await client.delete(driver.path("pods", "drv-exec-2"))).status).toBe(200);
  await eventsUntil(stream, (type) => type === "DELETED");
  expect(await driver.executorsInCluster()).toEqual([]);
});

test("an executor that is deleted while it runs is seen as deleted, and not only as gone, so that Spark knows at once", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  const stream = await driver.watch(client, "web-socket");
  await cluster.send("DELETE", `${driver.path("pods", "drv-exec-1")}?gracePeriodSeconds=0`);
  const events = await eventsUntil(stream, (type) => type === "DELETED");
  // Spark takes a pod for deleted if it has this timestamp, and does not run (ExecutorPodsSnapshot.scala).
  const states = events.map(([type, { metadata, status }]) => [
    type,
    metadata?.deletionTimestamp !== undefined,
    status?.phase,
  ]);
  expect(states).toContainEqual(["MODIFIED", true, "Failed"]);
});
