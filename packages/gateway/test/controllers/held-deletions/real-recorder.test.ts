import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { keptLog, recorderOf } from "../../support/real-recorder.ts";
import { FakeDriver } from "../../support/fake-driver.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

test("the log of an ended executor is whole in the archive, although its driver deletes the pod at once", async () => {
  const cluster = await TestCluster.start();
  const { uri, archive } = await recorderOf(cluster);
  const gateway = await startTestGateway(cluster, { settings: ["--recorder-uri", uri] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  const executor = await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  let letRead = (): void => undefined;
  const reads = new Promise<void>((resolve) => (letRead = resolve));
  cluster.api.fault = ({ path }) => (path.endsWith("drv-exec-1/log") ? { kind: "wait", until: reads } : undefined);
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}`);
  cluster.writeLog(executor, lines);
  cluster.end(executor, 1);
  await eventually(async () => {
    const { body } = await client.get(driver.path("pods", "drv-exec-1"));
    expect(body).toMatchObject({ status: { phase: "Failed" } });
  });

  expect((await client.delete(driver.path("pods", "drv-exec-1"))).status).toBe(200);
  letRead();

  await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
  cluster.end(driver.pod, 0);
  expect(await keptLog(archive, "executor-1")).toEqual({ lines, gap: undefined });
});
