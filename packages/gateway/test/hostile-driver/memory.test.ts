import { connect } from "node:net";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, onTestFinished, test } from "vitest";
import { FakeDriver, names } from "../support/fake-driver.ts";
import { GatewayProcess } from "../support/gateway-process.ts";
import { startTestGateway } from "../support/test-gateway.ts";

/** One executor with a request for a CPU is admitted; the others wait. */
const ONE_ADMITTED = ["--capacity", "cpu=1,memory=1Gi"];

function waiting(driver: FakeDriver, id: number): Pod {
  return driver.anExecutor(id).requests({ cpu: "900m" }).build();
}

/** An executor with many values that are very short as text. */
function dense(driver: FakeDriver, id: number, values: number): object {
  return { ...waiting(driver, id), x: Array.from({ length: values }, () => ({})) };
}

test("a gateway with a small heap outlives what a driver sends to fill it, and serves another", async () => {
  const cluster = await TestCluster.start();
  const gateway = await GatewayProcess.start(cluster, { settings: ONE_ADMITTED, heap: 128 });
  const [hostile, honest] = [await FakeDriver.run(cluster, "hostile"), await FakeDriver.run(cluster, "honest")];
  const client = hostile.at(gateway);
  expect((await client.post(hostile.path("pods"), waiting(hostile, 1))).status).toBe(201);
  const copies = Array.from({ length: 26 }, (_, index) => ({
    op: "copy",
    from: "/metadata",
    path: `/metadata/x${index}`,
  }));
  expect((await client.patch(hostile.path("pods", "hostile-exec-1"), "json", copies)).status).toBe(403);
  for (let id = 2; id < 5; id += 1) {
    expect((await client.post(hostile.path("pods"), dense(hostile, id, 900_000))).status).toBe(413);
  }
  let refused = "";
  for (let id = 5; id < 400 && refused === ""; id += 1) {
    const answer = await client.post(hostile.path("pods"), dense(hostile, id, 9_000));
    if (answer.status !== 201) refused = answer.text;
  }
  expect(JSON.parse(refused)).toMatchObject({ code: 403, message: expect.stringMatching(/delete some/) as string });
  const other = honest.at(gateway);
  for (let id = 1; id <= 20; id += 1) {
    expect((await other.post(honest.path("pods"), honest.executor(id))).status).toBe(201);
  }
  expect(names(await other.get(honest.path("pods")))).toHaveLength(21);
  // Deleted objects give their memory back.
  expect((await client.delete(`${hostile.path("pods")}?labelSelector=${hostile.executorSelector}`)).status).toBe(200);
  expect((await client.post(hostile.path("pods"), dense(hostile, 500, 9_000))).status).toBe(201);
});

test("a body has so many bytes, values and levels, and a ConfigMap may be larger", async () => {
  const cluster = await TestCluster.start();
  const settings = ["--objects-size", "20k", "--objects-values", "500", "--objects-config-map-size", "40k"];
  const gateway = await startTestGateway(cluster, { settings });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const large = { ...driver.executor(1), x: "x".repeat(20 * 1024) };
  expect((await client.post(driver.path("pods"), large)).body).toMatchObject({
    code: 413,
    message: "Request entity too large: limit is 20480",
  });
  expect((await client.post(driver.path("pods"), dense(driver, 1, 500))).body).toMatchObject({
    code: 413,
    message: "Request entity too large: the limit is 500 values of JSON",
  });
  const deep = { ...driver.executor(1), x: JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`) as unknown };
  expect((await client.post(driver.path("pods"), deep)).status).toBe(400);
  const owner = driver.executor(1).metadata?.ownerReferences;
  const metadata = {
    name: "spark-exec-0123456789abcdef-conf-map",
    labels: { "spark-app-selector": driver.app },
    ownerReferences: owner,
  };
  const configMap = { metadata, data: { text: "x".repeat(30 * 1024) } };
  expect((await client.post(driver.path("configmaps"), configMap)).status).toBe(201);
});

test("bodies that never come keep no room from another driver", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--memory-bodies", "16m"] });
  const [hostile, honest] = [await FakeDriver.run(cluster, "hostile"), await FakeDriver.run(cluster, "honest")];
  expect((await hostile.at(gateway).get(hostile.path("pods"))).status).toBe(200);
  const { hostname, port } = new URL(gateway.uri);
  for (let index = 0; index < 40; index += 1) {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    const head = `POST ${hostile.path("pods")} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${hostile.token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 262144\r\n\r\n{`);
  }
  const start = performance.now();
  expect((await honest.at(gateway).post(honest.path("pods"), honest.executor(1))).status).toBe(201);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test("an application that has taken all that it may have gets no further readers of it than Spark has", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: [...ONE_ADMITTED, "--memory-kept", "96m"] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), waiting(driver, 1));
  await driver.made("drv-exec-1");
  const large = (id: number): object => ({ ...waiting(driver, id), x: "x".repeat(200 * 1024) });
  let id = 2;
  while ((await client.post(driver.path("pods"), large(id))).status === 201) id += 1;
  expect(id).toBeGreaterThan(3);
  for (let index = 0; index < 2; index += 1) await driver.watch(client, "stream");
  expect((await client.get(`${driver.path("pods")}?watch=true`)).body).toMatchObject({
    code: 429,
    message: expect.stringMatching(/lists and watches of one application/) as string,
  });
  expect(names(await client.get(driver.path("pods")))).toHaveLength(id);
});
