import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { openWebSocket } from "@kindling/test-kit/web-socket-watch";
import { expect, test } from "vitest";
import { FakeDriver } from "./support/fake-driver.ts";
import { startTestGateway } from "./support/test-gateway.ts";

test("an application has so many executors, and one more is refused for good", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--executors-per-application", "2"] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  for (const id of [1, 2]) expect((await client.post(driver.path("pods"), driver.executor(id))).status).toBe(201);
  expect((await client.post(driver.path("pods"), driver.executor(3))).body).toMatchObject({
    code: 403,
    message: 'pods "drv-exec-3" is forbidden: at most 2 executor pods are allowed for one application',
  });
  await driver.made("drv-exec-1");
  await client.delete(driver.path("pods", "drv-exec-1"));
  await eventually(async () => expect((await client.post(driver.path("pods"), driver.executor(3))).status).toBe(201));
});

test("an application has so many watches, and others have theirs", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--watches-per-application", "2"] });
  const [driver, other] = [await FakeDriver.run(cluster, "drv"), await FakeDriver.run(cluster, "other")];
  const client = driver.at(gateway);
  const stream = await driver.watch(client, "stream");
  await driver.watch(client, "web-socket");
  const path = `${driver.path("pods")}?watch=true`;
  expect((await client.get(path)).body).toMatchObject({
    code: 429,
    message: expect.stringMatching(/at most 2 watches/) as string,
  });
  expect(await openWebSocket(client, path)).toEqual({ kind: "refused", status: 429 });
  await other.watch(other.at(gateway), "web-socket");
  stream.close();
  await eventually(async () => expect((await openWebSocket(client, path)).kind).toBe("open"));
});
