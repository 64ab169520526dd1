import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver, items } from "../support/fake-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";

test("an executor that the gateway before has made, and that the next one has not seen yet, is taken over", async () => {
  const cluster = await TestCluster.start();
  const next = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  expect((await driver.at(next).get(driver.path("pods"))).status).toBe(200);
  cluster.api.fault = ({ query }) => (query.get("watch") === "true" ? { kind: "status", status: 503 } : undefined);
  cluster.api.endWatches();
  // The earlier gateway lists the cluster when it starts, and the next one when it may watch again.
  const before = await startTestGateway(cluster);
  const posted = await driver.at(before).post(driver.path("pods"), driver.executor(1));
  const made = await driver.made("drv-exec-1");
  await before.stop();

  const client = driver.at(next);
  expect((await client.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
  await eventually(async () => {
    const [, executor] = items(await client.get(driver.path("pods")));
    expect(executor?.metadata?.uid).toBe((posted.body as Pod).metadata?.uid);
    expect(executor?.status?.phase).not.toBe("Failed");
  });
  cluster.api.fault = () => undefined;
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({ status: { phase: "Running" } });
  });
  expect((await driver.made("drv-exec-1")).metadata?.uid).toBe(made.metadata?.uid);
});

test("a name that something else has is no executor's", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  expect((await client.get(driver.path("pods"))).status).toBe(200);
  cluster.api.fault = ({ query }) => (query.get("watch") === "true" ? { kind: "status", status: 503 } : undefined);
  cluster.api.endWatches();
  await cluster.send("POST", driver.path("pods"), driver.executor(1));
  await client.post(driver.path("pods"), driver.executor(1));
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({
      status: { phase: "Failed", reason: "AlreadyExists" },
    });
  });
});
