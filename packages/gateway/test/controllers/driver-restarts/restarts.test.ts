import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import type { ConfigMap, Event, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver } from "../../support/fake-driver.ts";
import { ALL_OWNED, APP, belongings, PATIENCE, PODS, restartable, runs, submit } from "../../support/restartable.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

const NAME = { namespace: "spark-jobs", name: "drv" };

async function eventsOf(cluster: TestCluster): Promise<string[]> {
  const { items } = (await cluster.send("GET", "/api/v1/namespaces/spark-jobs/events")) as { readonly items: Event[] };
  return items
    .filter(({ source }) => source?.component === "kindling-gateway")
    .map(({ reason, message }) => `${reason}: ${message}`);
}

/** Waits until a driver has ended and is not restarted: it has no finalizer. */
async function staysAt(cluster: TestCluster, phase: string, uid: string | undefined): Promise<void> {
  await eventually(async () => {
    const { metadata, status } = (await cluster.send("GET", `${PODS}/drv`)) as Pod;
    expect({ uid: metadata?.uid, phase: status?.phase, held: metadata?.finalizers ?? [] }).toEqual({
      ...{ uid, phase },
      held: [],
    });
  });
}

test("a driver that has failed is followed by another one of the same name, which owns all that it owned", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const first = await submit(cluster);
  const driver = await FakeDriver.of(cluster, first, APP);
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  // As Spark does when it ends.
  expect((await client.delete(`${driver.path("services")}?labelSelector=spark-app-selector=${APP}`)).status).toBe(200);

  cluster.end(first, 1);

  const second = await runs(cluster, 1);
  await expect.poll(() => belongings(cluster), PATIENCE).toEqual(ALL_OWNED);
  expect(second.metadata?.uid).not.toBe(first.metadata?.uid);
  expect(second.metadata?.labels).toEqual(first.metadata?.labels);
  expect(second.spec?.containers[0]?.env).toEqual(first.spec?.containers[0]?.env);
  expect(second.spec?.containers[0]?.resources).toEqual(first.spec?.containers[0]?.resources);
  expect(second.metadata?.annotations).toMatchObject({
    "scheduler.kindling/driver-restart": "onFailure",
    "scheduler.kindling/restart-of": first.metadata?.uid,
    "scheduler.kindling/restarts-counted": "1",
    "scheduler.kindling/last-end": "exit code 1: Error",
  });
  expect(second.metadata?.annotations?.["scheduler.kindling/restart-at"]).toBeUndefined();
  await eventually(async () =>
    expect(await eventsOf(cluster)).toEqual([
      "DriverRestarted: the driver was started again (once by now); the last one ended: exit code 1: Error",
    ]),
  );
  // It creates executors with the same names.
  const next = await FakeDriver.of(cluster, second, APP);
  expect((await next.at(gateway).post(next.path("pods"), next.executor(1))).status).toBe(201);
  await cluster.inPhase(await next.made("drv-exec-1"), "Running");

  await cluster.delete(second);
  await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
});

test("a driver that has done its work is left alone, and goes without a gateway", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await submit(cluster);
  cluster.end(driver, 0);
  await staysAt(cluster, "Succeeded", driver.metadata?.uid);
  await gateway.stop();
  await cluster.delete(driver);
  await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
});

test("a driver is started again no more often than it may, and says so", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  let driver = await submit(cluster, restartable({ max: 1 }));
  cluster.end(driver, 1);
  driver = await runs(cluster, 1);
  await expect.poll(() => belongings(cluster), PATIENCE).toEqual(ALL_OWNED);
  cluster.end(driver, 2);
  await staysAt(cluster, "Failed", driver.metadata?.uid);
  expect(await eventsOf(cluster)).toContain(
    "RestartsExhausted: the driver is not started again: it was started again once already",
  );
  await cluster.delete(driver);
  await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
});

describe("a driver is started again after", () => {
  const evict = (cluster: TestCluster): void => cluster.devCluster.podFaults.evict(NAME);
  const preempt = (cluster: TestCluster): void => cluster.devCluster.podFaults.preempt(NAME);
  test.each([
    ["an eviction by its node", evict, /^Evicted: The node was low on resource/],
    ["a preemption", preempt, /^PreemptionByScheduler/],
  ])("%s", async (_, fault, words) => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    await submit(cluster);
    fault(cluster);
    const second = await runs(cluster, 1);
    expect(second.metadata?.annotations?.["scheduler.kindling/last-end"]).toMatch(words);
    await expect.poll(() => belongings(cluster), PATIENCE).toEqual(ALL_OWNED);
  });
});

describe("a driver that is to run always is started again after", () => {
  test.each([
    ["its work", (cluster: TestCluster, driver: Pod): unknown => cluster.end(driver, 0)],
    ["its deletion", (cluster: TestCluster, driver: Pod): unknown => cluster.startToDelete(driver)],
  ])("%s", async (_, end) => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    await end(cluster, await submit(cluster, restartable({ restart: "always" })));
    await runs(cluster, 1);
    await expect.poll(() => belongings(cluster), PATIENCE).toEqual(ALL_OWNED);
  });
});

describe("a driver is not started again that", () => {
  test("was deleted, and is to be started again when it fails", async () => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    await cluster.delete(await submit(cluster));
    await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
  });

  test("was deleted while it waited for its restart", async () => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    const driver = await submit(cluster, restartable({ backoff: 3600 }));
    cluster.end(driver, 1);
    await eventually(async () => {
      const { metadata } = (await cluster.send("GET", `${PODS}/drv`)) as Pod;
      expect(metadata?.annotations?.["scheduler.kindling/restart-at"]).toBeDefined();
    });
    await cluster.delete(driver);
    await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
  });

  test("is to run always, and was killed", async () => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    const driver = await submit(cluster, restartable({ restart: "always" }));
    const annotations = { "scheduler.kindling/driver-restart": "never" };
    await cluster.send("PATCH", `${PODS}/drv`, { metadata: { annotations } });
    await cluster.delete(driver);
    await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
  });

  test("was deleted with everything first", async () => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    await submit(cluster, restartable({ restart: "always" }));
    await cluster.send("DELETE", `${PODS}/drv`, { propagationPolicy: "Foreground" });
    await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
  });

  test("belongs to something that is deleted", async () => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    const path = "/api/v1/namespaces/spark-jobs/configmaps";
    const owner = (await cluster.send("POST", path, { metadata: { name: "owner" } })) as ConfigMap;
    await submit(cluster, restartable({ restart: "always" }).ownedBy(owner));
    await cluster.send("DELETE", `${path}/owner`);
    await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
  });
});

test("a stranger's pod that holds a driver of another namespace is taken for nothing", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  const ofX = { "scheduler.kindling/restart-of": "x" };
  const next = restartable().in("elsewhere").annotations(ofX).build();
  const standIn = aPod("drv-restart")
    .labels({ "spark-role": "driver-restart", "spark-app-selector": APP })
    .annotations({ ...ofX, "gateway.kindling/next-driver": JSON.stringify(next) })
    .gated("scheduler.kindling/restart");
  await cluster.send("POST", PODS, standIn.build());
  const driver = await submit(cluster);
  cluster.end(driver, 0);
  await staysAt(cluster, "Succeeded", driver.metadata?.uid);
  const answer = await fetch(new URL("/api/v1/namespaces/elsewhere/pods/drv", cluster.devCluster.url));
  expect(answer.status).toBe(404);
});
