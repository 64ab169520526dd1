import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { startStub } from "@kindling/test-kit/stub-server";
import { expect, test } from "vitest";
import { FakeDriver } from "../../support/fake-driver.ts";
import { GatewayProcess } from "../../support/gateway-process.ts";

test("of a gateway that was killed, the next one shows the driver what was held: it asks again", async () => {
  const cluster = await TestCluster.start();
  const silent = await startStub(() => undefined);
  const settings = ["--capacity", "unlimited", "--recorder-uri", silent.url];
  const first = await GatewayProcess.start(cluster, { settings });
  const driver = await FakeDriver.run(cluster, "drv");
  const path = driver.path("pods", "drv-exec-1");
  const client = driver.at(first);
  await client.post(driver.path("pods"), driver.executor(1));
  cluster.end(await cluster.inPhase(await driver.made("drv-exec-1"), "Running"), 0);
  await eventually(async () => expect((await client.get(path)).body).toMatchObject({ status: { phase: "Succeeded" } }));
  await client.delete(path);
  await eventually(() => expect(silent.requests).toHaveLength(1));
  expect((await client.get(path)).status).toBe(404);
  first.kill();
  await first.ended();

  const next = driver.at(await GatewayProcess.start(cluster, { settings: ["--capacity", "unlimited"] }));
  expect((await next.get(path)).body).toMatchObject({ status: { phase: "Succeeded" } });
  expect((await next.delete(path)).status).toBe(200);
  expect(await driver.executorsInCluster()).toEqual([]);
});
