import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { FakeDriver, names } from "../../support/fake-driver.ts";
import { GatewayProcess } from "../../support/gateway-process.ts";
import { PersistentDriver } from "../../support/persistent-driver.ts";
import { startTestGateway, type TestGateway } from "../../support/test-gateway.ts";

/** The times of a lease that expires while a test waits. */
const SHORT = ["--leader-lease-duration", "6s", "--leader-renew-deadline", "4s", "--leader-retry-period", "500ms"];

/** The settings of one of several gateways. */
function replica(identity: string, times: readonly string[] = SHORT): string[] {
  return ["--leader-election", "true", "--leader-identity", identity, ...times];
}

async function readiness({ adminUri }: { readonly adminUri: string }): Promise<[number, string]> {
  const answer = await fetch(new URL("readyz", adminUri));
  return [answer.status, (await answer.text()).trim()];
}

async function leads(gateway: TestGateway): Promise<void> {
  await eventually(async () => expect(await readiness(gateway)).toEqual([200, "ok"]));
}

test("one replica serves, the others send drivers away, and the next one serves when it is stopped", async () => {
  const cluster = await TestCluster.start();
  const first = await startTestGateway(cluster, { settings: replica("first", []) });
  await leads(first);
  const second = await startTestGateway(cluster, { settings: replica("second", []) });
  const driver = await FakeDriver.run(cluster, "drv");
  const posted = await driver.at(first).post(driver.path("pods"), driver.executor(1));
  await driver.made("drv-exec-1");
  expect(await readiness(second)).toEqual([503, "another replica leads"]);
  expect(await driver.at(second).get(driver.path("pods"))).toMatchObject({
    status: 503,
    headers: { connection: "close", "retry-after": "1" },
    body: { kind: "Status", message: expect.stringMatching(/stands by/) as string },
  });
  const watch = await driver.watch(driver.at(first), "web-socket");
  expect(await watch.nextChange()).toMatchObject({ type: "ADDED" });

  await first.stop();
  while ((await watch.next()) !== undefined);
  const holders = cluster.api.writes.filter(({ path }) => path.endsWith("/leases/kindling-gateway"));
  expect(holders.map(({ body }) => body)).toContainEqual(
    expect.objectContaining({ spec: expect.objectContaining({ holderIdentity: "" }) as unknown }),
  );
  await leads(second);
  expect((await driver.at(second).get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({
    metadata: { uid: (posted.body as { metadata: { uid: string } }).metadata.uid },
  });
  expect((await driver.at(second).post(driver.path("pods"), driver.executor(2))).status).toBe(201);
  await driver.made("drv-exec-2");
});

test("a replica that is killed is followed by the next one, and nothing is made twice", async () => {
  const cluster = await TestCluster.start();
  const first = await GatewayProcess.start(cluster, { settings: replica("first") });
  const second = await startTestGateway(cluster, { settings: replica("second") });
  const driver = await FakeDriver.run(cluster, "drv");
  let uri = first.uri;
  const persistent = new PersistentDriver(driver, () => uri);
  await persistent.has(2);
  first.kill();
  uri = second.uri;
  const executors = await persistent.has(4);
  expect(await driver.executorsInCluster()).toEqual(executors.map(({ metadata }) => metadata?.name));
});

test("a lease that was lost and is got again is served anew", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: replica("only") });
  await leads(gateway);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await driver.made("drv-exec-1");
  const watch = await driver.watch(client, "stream");
  cluster.api.fault = ({ path }) => (path.includes("/leases") ? { kind: "status", status: 500 } : undefined);
  while ((await watch.next()) !== undefined);
  expect((await readiness(gateway))[0]).toBe(503);
  cluster.api.fault = () => undefined;
  await leads(gateway);
  expect(names(await driver.at(gateway).get(driver.path("pods")))).toEqual(["drv", "drv-exec-1"]);
});

test("a replica that was stopped for a while, and takes itself for the one that leads, makes nothing", async () => {
  const cluster = await TestCluster.start();
  await cluster.send("POST", "/api/v1/namespaces/elsewhere/serviceaccounts", { metadata: { name: "gateway" } });
  const token = cluster.devCluster.serviceAccountToken("elsewhere", "gateway");
  const settings = [...replica("first"), "--executors-concurrency", "1"];
  const first = await GatewayProcess.start(cluster, { settings, token });
  const second = await startTestGateway(cluster, { settings: replica("second") });
  const driver = await FakeDriver.run(cluster, "drv");
  let goOn: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const creates = (): string[] =>
    cluster.api.writes
      .filter(
        ({ method, path, headers }) =>
          method === "POST" && path.endsWith("/pods") && headers.authorization === `Bearer ${token}`,
      )
      .map(({ body }) => (body as { metadata: { name: string } }).metadata.name);
  cluster.api.fault = ({ method, path }) =>
    method === "POST" && path.endsWith("/pods") ? { kind: "wait", until } : undefined;
  const old = driver.at(first);
  const watch = await driver.watch(old, "stream");
  for (const id of [1, 2, 3]) await old.post(driver.path("pods"), driver.executor(id));
  await eventually(() => expect(creates()).toEqual(["drv-exec-1"]));

  first.pause();
  await leads(second);
  cluster.api.fault = () => undefined;
  const client = driver.at(second);
  for (const id of [4, 5]) await client.post(driver.path("pods"), driver.executor(id));
  await driver.made("drv-exec-5");
  // An earlier request arrives late. Its pod belongs to the driver, which sees it and can delete it.
  goOn();
  first.resume();
  while ((await watch.next()) !== undefined);
  await eventually(async () => expect(await readiness(first)).toEqual([503, "another replica leads"]));
  expect(creates()).toEqual(["drv-exec-1"]);
  const all = ["drv", "drv-exec-1", "drv-exec-4", "drv-exec-5"];
  await eventually(async () => expect(names(await client.get(driver.path("pods")))).toEqual(all));
  expect(await driver.executorsInCluster()).toEqual(all.slice(1));
  await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
});
