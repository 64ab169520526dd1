import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { Door } from "../support/policies.ts";
import { startTestGateway } from "../support/test-gateway.ts";

const NOT_ALONE = "a driver may change only the labels and annotations of its executors";

test("a JSON patch leads to labels and annotations alone, and is refused before any of it is done", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await driver.made("drv-exec-1");
  const path = driver.path("pods", "drv-exec-1");
  const label = { op: "add", path: "/metadata/labels/spark-exec-inactive", value: "true" };
  for (const operation of [
    { op: "copy", from: "/metadata", path: "/metadata/labels/all" },
    { op: "copy", from: "/metadata/labels", path: "/metadata/all" },
    { op: "move", from: "/spec", path: "/metadata/annotations/spec" },
    { op: "test", path: "/spec", value: {} },
    { op: "test", path: "", value: {} },
    { op: "replace", path: "/metadata", value: {} },
    { op: "add", path: "/metadata/labelsOfOthers", value: {} },
  ]) {
    const answer = await client.patch(path, "json", [label, operation]);
    expect(answer, JSON.stringify(operation)).toMatchObject({ status: 403 });
    expect(answer.text).toContain(NOT_ALONE);
  }
  expect((await driver.made("drv-exec-1")).metadata?.labels).not.toHaveProperty("spark-exec-inactive");
  const { uid } = (await client.get(path)).body["metadata"] as { readonly uid: string };
  const own = [
    { op: "test", path: "/metadata/uid", value: uid },
    label,
    { op: "copy", from: "/metadata/labels/spark-exec-inactive", path: "/metadata/annotations/c" },
  ];
  expect(await client.patch(path, "json", own)).toMatchObject({
    status: 200,
    body: { metadata: { annotations: { c: "true" } } },
  });
});

test("annotations of an executor that waits do not grow for ever", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { policy: new Door().policy });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  const statuses: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    const annotations = { [`text-${index}`]: "x".repeat(100 * 1024) };
    statuses.push(
      (await client.patch(driver.path("pods", "drv-exec-1"), "merge", { metadata: { annotations } })).status,
    );
  }
  expect(statuses).toEqual([200, 200, 413, 413]);
});
