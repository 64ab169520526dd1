import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver, names } from "./support/fake-driver.ts";
import { Door } from "./support/policies.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const INACTIVE = [{ op: "add", path: "/metadata/labels/spark-exec-inactive", value: "true" }];

test("a strategic patch gives an executor its id, as Spark's allocators of sets do from 4.x on", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await driver.made("drv-exec-1");
  const labels = { "spark-exec-id": "7" };
  const patched = await client.patch(driver.path("pods", "drv-exec-1"), "strategic", { metadata: { labels } });
  expect(patched, patched.text).toMatchObject({ status: 200, body: { metadata: { labels } } });
  expect((await driver.made("drv-exec-1")).metadata?.labels).toMatchObject(labels);
  for (const [refused, status] of [
    [{ metadata: { labels: { $patch: "replace" } } }, 400],
    [{ spec: { hostNetwork: true } }, 403],
  ] as const) {
    expect((await client.patch(driver.path("pods", "drv-exec-1"), "strategic", refused)).status).toBe(status);
  }
});

test("labels of executors are changed in the cluster, and seen at once", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await driver.made("drv-exec-1");
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({ status: { phase: "Running" } });
  });
  const patched = await client.patch(driver.path("pods", "drv-exec-1"), "json", INACTIVE);
  expect(patched).toMatchObject({ status: 200, body: { metadata: { labels: { "spark-exec-inactive": "true" } } } });
  const active = `${driver.executorSelector}${encodeURIComponent(",spark-exec-inactive!=true")}`;
  expect(names(await client.get(`${driver.path("pods")}?labelSelector=${active}`))).toEqual([]);
  expect((await driver.made("drv-exec-1")).metadata?.labels).toMatchObject({ "spark-exec-inactive": "true" });
  const removed = [{ op: "remove", path: "/metadata/labels/spark-exec-inactive" }];
  await client.patch(driver.path("pods", "drv-exec-1"), "json", removed);
  expect((await driver.made("drv-exec-1")).metadata?.labels).not.toHaveProperty("spark-exec-inactive");
});

test("an executor that waits is made with the labels that it has by then", async () => {
  const cluster = await TestCluster.start();
  const door = new Door();
  const gateway = await startTestGateway(cluster, { policy: door.policy });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  expect((await client.patch(driver.path("pods", "drv-exec-1"), "json", INACTIVE)).status).toBe(200);
  door.isOpen = true;
  await client.post(driver.path("pods"), driver.executor(2));
  expect((await driver.made("drv-exec-1")).metadata?.labels).toMatchObject({ "spark-exec-inactive": "true" });
});

test("a driver writes its last words to its own pod, and nothing else", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const words = { metadata: { annotations: { "spark.exit-exception": "java.lang.Exception" } } };
  expect((await client.patch(driver.path("pods", "drv"), "merge", words)).status).toBe(200);
  expect(((await cluster.send("GET", driver.path("pods", "drv"))) as Pod).metadata?.annotations).toMatchObject(
    words.metadata.annotations,
  );
  for (const wrong of [
    { metadata: { labels: { "spark-app-selector": "spark-other" } } },
    { metadata: { annotations: { other: "x" } } },
    { spec: { activeDeadlineSeconds: 1 } },
  ]) {
    expect((await client.patch(driver.path("pods", "drv"), "merge", wrong)).status).toBe(403);
  }
});

test("a patch cannot move an executor to another application, change its spec, or overwrite what is newer", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  const path = driver.path("pods", "drv-exec-1");
  const patches: [unknown, number][] = [
    [[{ op: "replace", path: "/metadata/labels/spark-app-selector", value: "spark-other" }], 403],
    [[{ op: "replace", path: "/metadata/labels/spark-role", value: "driver" }], 403],
    [[{ op: "remove", path: "/metadata/ownerReferences" }], 403],
    [[{ op: "add", path: "/spec/hostNetwork", value: true }], 403],
    [[{ op: "replace", path: "/metadata/resourceVersion", value: "1" }], 409],
    [[{ op: "test", path: "/metadata/name", value: "other" }], 422],
    [{ op: "remove" }, 400],
    ["[", 400],
  ];
  for (const [patch, status] of patches) {
    expect((await client.patch(path, "json", patch)).status, JSON.stringify(patch)).toBe(status);
  }
});
