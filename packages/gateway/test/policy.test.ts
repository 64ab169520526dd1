import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver } from "./support/fake-driver.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const ALLOWANCE = "scheduler.kindling/executor-allowance";

test("a driver cannot learn of a Secret by an executor, nor allow it to itself", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const volumes = [{ name: "keys", secret: { secretName: "keys" } }];
  const annotations = { [ALLOWANCE]: JSON.stringify({ volumes }) };
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const refused = {
    code: 403,
    message: expect.stringMatching(
      /"drv-exec-1" is forbidden: it has spec\.volumes\[0\]\.secret\.secretName \(the Secret keys\), and the driver's/,
    ) as string,
  };
  const executor = driver.executor(1, { spec: { volumes } });
  expect((await client.post(driver.path("pods"), executor)).body).toMatchObject(refused);
  const patch = await client.patch(driver.path("pods", "drv"), "merge", { metadata: { annotations } });
  expect(patch.status).toBe(403);
  expect((await client.post(driver.path("pods"), executor)).body).toMatchObject(refused);

  const allowed = await FakeDriver.run(cluster, "allowed", { annotations });
  const answer = await allowed.at(gateway).post(allowed.path("pods"), allowed.executor(1, { spec: { volumes } }));
  expect(answer.status, answer.text).toBe(201);
});

test("with a list of images, executors have those and the driver's own", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--executors-images", "apache/spark:4.3.0,etl:*"] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const statuses: number[] = [];
  for (const [id, image] of ["spark", "apache/spark:4.3.0", "etl:7", "apache/spark:4.3.1"].entries()) {
    const spec = { containers: [{ name: "spark-kubernetes-executor", image }] };
    statuses.push((await client.post(driver.path("pods"), driver.executor(id, { spec }))).status);
  }
  expect(statuses).toEqual([201, 201, 201, 403]);
});

test("executors that a driver may never have fail in the end: a driver counts failures alone, and gives up", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const spec = { hostNetwork: true };
  const answers: unknown[] = [];
  for (const id of [1, 2, 3, 4]) {
    const { status, body } = await client.post(driver.path("pods"), driver.executor(id, { spec }));
    answers.push(status === 201 ? (body as Pod).status : status);
  }
  const message = expect.stringContaining("it has spec.hostNetwork, and the driver's pod has not") as string;
  expect(answers).toEqual([403, 403, 403, { phase: "Failed", reason: "Forbidden", message }]);
  expect(await driver.executorsInCluster()).toEqual([]);
  // Its driver deletes it, like every failed executor.
  expect((await client.delete(driver.path("pods", "drv-exec-4"))).status).toBe(200);
  expect((await client.get(driver.path("pods", "drv-exec-4"))).status).toBe(404);
  // It gets an executor that it may have.
  expect((await client.post(driver.path("pods"), driver.executor(5))).status).toBe(201);
  expect((await driver.made("drv-exec-5")).spec?.hostNetwork).toBeUndefined();
});
