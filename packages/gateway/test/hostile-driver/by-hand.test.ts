import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { FakeDriver, names } from "../support/fake-driver.ts";
import { PersistentDriver } from "../support/persistent-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";

test("executors that somebody deletes or changes by hand are seen so, and others take their place", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const other = await FakeDriver.run(cluster, "other");
  await other.at(gateway).post(other.path("pods"), other.executor(1));
  const persistent = new PersistentDriver(driver, () => gateway.uri);
  const [first, second, third] = await persistent.has(3);
  for (const pod of [first, second, third]) expect(pod).toBeDefined();
  const nameOf = (pod: typeof first): string => pod?.metadata?.name ?? "";

  await cluster.delete(await driver.made(nameOf(first)), { gracePeriodSeconds: 0 });
  // Without its labels a pod is no longer an executor of this application.
  const labels = { "spark-app-selector": null, "spark-role": null };
  await cluster.send("PATCH", driver.path("pods", nameOf(second)), { metadata: { labels } });
  // The gateway's marks are gone, but the pod is still the same.
  const annotations = { "gateway.kindling/uid": null, "gateway.kindling/request": null };
  await cluster.send("PATCH", driver.path("pods", nameOf(third)), { metadata: { annotations } });

  await eventually(async () => {
    const now = (await persistent.executors()).map(({ metadata }) => metadata?.name);
    expect(now).toEqual([nameOf(third)]);
  });
  const after = await persistent.has(3);
  expect(after.map(({ metadata }) => metadata?.name)).toEqual([nameOf(third), "drv-exec-4", "drv-exec-5"]);
  expect(names(await other.at(gateway).get(other.path("pods")))).toEqual(["other", "other-exec-1"]);
});

test("a driver whose pod loses its labels is served no longer, and another one goes on", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const [driver, other] = [await FakeDriver.run(cluster, "drv"), await FakeDriver.run(cluster, "other")];
  expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
  await cluster.send("PATCH", driver.path("pods", "drv"), { metadata: { labels: { "spark-role": "web" } } });
  await eventually(async () => {
    expect((await driver.at(gateway).get(driver.path("pods"))).body).toMatchObject({ kind: "Status", code: 403 });
  });
  expect((await other.at(gateway).get(other.path("pods"))).status).toBe(200);
});
