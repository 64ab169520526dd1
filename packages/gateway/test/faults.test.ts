import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { type Clock, systemClock } from "@kindling/outside";
import { aPod } from "@kindling/test-kit/a-pod";
import type { Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver, items } from "./support/fake-driver.ts";
import { admitting } from "./support/policies.ts";
import { startTestGateway } from "./support/test-gateway.ts";

function isPodCreate({ method, path }: SeenRequest): boolean {
  return method === "POST" && path.endsWith("/pods");
}

/** The first `count` create requests for pods fail. */
function firstCreates(count: number, fault: Fault): (request: SeenRequest) => Fault | undefined {
  let left = count;
  return (request) => (isPodCreate(request) && (left -= 1) >= 0 ? fault : undefined);
}

test.each<[string, Fault]>([
  ["breaks after it was carried out", { kind: "reset", carriedOut: true }],
  ["breaks before it was carried out", { kind: "reset", carriedOut: false }],
  ["is answered with 500", { kind: "status", status: 500, reason: "InternalError" }],
  ["is answered with 429", { kind: "status", status: 429, reason: "TooManyRequests" }],
  ["is answered with a proxy's page", { kind: "instead", text: "<html>bad gateway</html>", status: 403 }],
  [
    "lacks rights of the gateway's own",
    {
      kind: "status",
      status: 403,
      reason: "Forbidden",
      message:
        'pods is forbidden: User "gateway" cannot create resource "pods" in API group "" in the namespace "spark-jobs"',
    },
  ],
])("a create that %s is made good, once", async (_, fault) => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  cluster.api.fault = firstCreates(2, fault);
  expect((await client.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({ status: { phase: "Running" } });
  });
  expect(await driver.executorsInCluster()).toEqual(["drv-exec-1"]);
});

test("what the cluster refuses for good is a failed pod with the cluster's own words", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const stream = await driver.watch(client, "web-socket");
  const invalid = driver.executor(1, { spec: { containers: [{ name: "Not A Name", image: "spark" }] } });
  expect((await client.post(driver.path("pods"), invalid)).status).toBe(201);
  expect(await stream.nextChange()).toMatchObject({ type: "ADDED" });
  expect(await stream.nextChange()).toMatchObject({
    type: "MODIFIED",
    object: {
      status: {
        phase: "Failed",
        reason: "Invalid",
        message: expect.stringMatching(
          /the cluster does not take this executor: .*spec\.containers\[0\]\.name/,
        ) as string,
      },
    },
  });
  // The driver deletes a failed pod; it exists only in its view.
  expect((await client.delete(driver.path("pods", "drv-exec-1"))).status).toBe(200);
  expect(await stream.nextChange()).toMatchObject({ type: "DELETED" });
});

test("executors wait for room in the quota, and get it when others end and when there is more", async () => {
  const cluster = await TestCluster.start();
  // The default policy respects quotas; the cluster may refuse the decisions of other policies.
  const gateway = await startTestGateway(cluster, { policy: admitting(() => true) });
  const driver = await FakeDriver.run(cluster, "drv");
  const quota = (pods: string): object => ({ metadata: { name: "few" }, spec: { hard: { pods } } });
  await cluster.send("POST", driver.path("resourcequotas"), quota("3"));
  await eventually(async () => {
    const used = await cluster.send("GET", driver.path("resourcequotas", "few"));
    expect(used).toMatchObject({ status: { used: { pods: "1" } } });
  });
  const client = driver.at(gateway);
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  for (const id of ids) expect((await client.post(driver.path("pods"), driver.executor(id))).status).toBe(201);
  const pods = async (): Promise<Pod[]> =>
    items(await client.get(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`));
  await eventually(async () => {
    const reasons = (await pods()).flatMap(({ status }) => status?.conditions ?? []).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === "AwaitingQuota")).toHaveLength(10);
  });
  expect(await driver.executorsInCluster()).toHaveLength(2);
  const creates = cluster.api.requests.filter(isPodCreate).length;
  expect(creates).toBeLessThan(2 * ids.length);

  const running = (await pods()).filter(({ status }) => status?.phase === "Running");
  expect(running).toHaveLength(2);
  for (const { metadata } of running) await client.delete(driver.path("pods", metadata?.name));
  const runs = async (count: number): Promise<void> => {
    const phases = (await pods()).map(({ status }) => status?.phase);
    expect(phases.filter((phase) => phase === "Running")).toHaveLength(count);
  };
  await eventually(() => runs(2));
  await cluster.send("PATCH", driver.path("resourcequotas", "few"), quota("100"));
  await eventually(() => runs(10));
});

test("an executor that is deleted while it is being made leaves nothing behind", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  cluster.api.fault = (request) => (isPodCreate(request) ? { kind: "wait", until } : undefined);
  await client.post(driver.path("pods"), driver.executor(1));
  await eventually(() => expect(cluster.api.requests.some(isPodCreate)).toBe(true));
  const stream = await driver.watch(client, "stream");
  expect(await stream.nextChange()).toMatchObject({ type: "ADDED" });
  await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  expect(await stream.nextChange()).toMatchObject({ type: "DELETED" });
  release();
  await eventually(() => {
    expect(cluster.api.requests.some(({ method, path }) => method === "DELETE" && path.endsWith("/drv-exec-1"))).toBe(
      true,
    );
  });
  await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
  await client.post(driver.path("pods"), driver.executor(2));
  expect(await stream.nextChange()).toMatchObject({ type: "ADDED", object: { metadata: { name: "drv-exec-2" } } });
});

test("how long ago a driver has ended counts also for a gateway that has just started", async () => {
  const cluster = await TestCluster.start();
  // As if an hour had passed: in real time it would wait for longer than this test.
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
  const first = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  await driver.at(first).post(driver.path("pods"), driver.executor(1));
  await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  await first.stop();
  cluster.end(driver.pod, 1);
  await cluster.inPhase(driver.pod, "Failed");
  await startTestGateway(cluster, { clock, settings: ["--executors-orphan-grace", "40s"] });
  await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
});

test("executors that wait go with their driver, and those that a failed driver leaves are deleted", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--executors-orphan-grace", "1s"] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  await cluster.createPod(aPod("stranger").in(driver.namespace).executor(2, driver.app).build());
  cluster.end(driver.pod, 1);
  await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
  const left = (await cluster.send("GET", driver.path("pods", "stranger"))) as Pod;
  expect(left.metadata?.deletionTimestamp).toBeUndefined();
});
