import type { Answer } from "@kindling/test-kit/api-client";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver, items, names } from "./support/fake-driver.ts";
import { admitting } from "./support/policies.ts";
import { startTestGateway } from "./support/test-gateway.ts";

function versionOf({ body }: Answer): number {
  const list: { readonly metadata?: unknown } = body;
  return Number((list.metadata as { readonly resourceVersion: string }).resourceVersion);
}

test("after a restart drivers find their executors, and their watches go on", async () => {
  const cluster = await TestCluster.start();
  const first = await startTestGateway(cluster, { policy: admitting((name) => Number(name.at(-1)) % 2 === 0) });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(first);
  const posted = new Map<number, Pod>();
  for (const id of [1, 2, 3, 4]) {
    posted.set(id, (await client.post(driver.path("pods"), driver.executor(id))).body);
  }
  await eventually(async () => expect(await driver.executorsInCluster()).toEqual(["drv-exec-2", "drv-exec-4"]));
  const seen = await client.get(driver.path("pods"));
  const version = String(versionOf(seen));
  const watch = await driver.watch(client, "web-socket", version);
  await first.stop();
  for (let event = await watch.next(); event !== undefined;) event = await watch.next();
  await cluster.delete(await driver.made("drv-exec-2"), { gracePeriodSeconds: 0 });

  const second = await startTestGateway(cluster);
  const again = driver.at(second);
  const stream = await driver.watch(again, "web-socket", version);
  expect(await stream.nextChange()).toMatchObject({ type: "ADDED", object: { metadata: { name: "drv-exec-4" } } });
  // No gateway knows executors that were never created: the driver misses them in its next list, and asks again.
  const listed = await again.get(driver.path("pods"));
  expect(names(listed)).toEqual(["drv", "drv-exec-4"]);
  expect(versionOf(listed)).toBeGreaterThan(Number(version));
  const kept = items(listed)[1];
  expect(kept?.metadata?.uid).toBe(posted.get(4)?.metadata?.uid);

  // The driver did not get the answer to its last request, so it repeats the request.
  expect(await again.post(driver.path("pods"), driver.executor(4))).toMatchObject({
    status: 201,
    body: { metadata: { uid: kept?.metadata?.uid } },
  });
  const different = driver.executor(4, { spec: { terminationGracePeriodSeconds: 7 } });
  expect((await again.post(driver.path("pods"), different)).status).toBe(409);
  expect((await again.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
  await driver.made("drv-exec-1");
  expect(await driver.executorsInCluster()).toEqual(["drv-exec-1", "drv-exec-4"]);
});

test("a watch that comes with a version of the future begins anew", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  const stream = await driver.watch(client, "stream", "8000000000000000");
  expect(await stream.nextChange()).toMatchObject({ type: "ADDED", object: { metadata: { name: "drv-exec-1" } } });
});
