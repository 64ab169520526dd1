import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { StatefulSet } from "kubernetes-types/apps/v1.js";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { type AskedSet, FakeDriver, items, SET_KINDS } from "./support/fake-driver.ts";
import { startTestGateway } from "./support/test-gateway.ts";

function pathOf(driver: FakeDriver, plural: string, ...rest: readonly string[]): string {
  return [`/apis/apps/v1/namespaces/${driver.namespace}/${plural}`, ...rest].join("/");
}

async function executorsOf(driver: FakeDriver, gateway: { readonly uri: string }): Promise<Pod[]> {
  return items(await driver.at(gateway).get(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`));
}

/** Waits until all executors that the driver sees are running, and there are `count` of them. */
async function hasRunning(driver: FakeDriver, gateway: { readonly uri: string }, count: number): Promise<void> {
  await eventually(async () => {
    const phases = (await executorsOf(driver, gateway)).map(({ status }) => status?.phase);
    expect(phases).toEqual(Array.from({ length: count }, () => "Running"));
  });
}

describe.each(SET_KINDS)("a %s of executors", (kind, plural) => {
  test("is made, shown with its pods, scaled and deleted", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    const other = await FakeDriver.run(cluster, "other");
    const client = driver.at(gateway);
    const events = await driver.watch(client, "web-socket");
    const posted = await client.post(pathOf(driver, plural), driver.setOf(kind));
    expect(posted, posted.text).toMatchObject({ status: 201, body: { kind, spec: { replicas: 2 } } });
    expect((await client.post(pathOf(driver, plural), driver.setOf(kind))).status).toBe(201);
    const first = (await events.nextChange())?.object as Pod;
    expect(first.metadata?.labels).toMatchObject({ "spark-exec-id": "EXECID", "spark-app-selector": driver.app });
    await hasRunning(driver, gateway, 2);
    const [seen] = await executorsOf(driver, gateway);
    expect(await executorsOf(other, gateway)).toEqual([]);

    // The executor has asked its driver for an id.
    const name = seen?.metadata?.name ?? "";
    const path = "/metadata/labels/spark-exec-id";
    const named = await client.patch(driver.path("pods", name), "json", [{ op: "replace", path, value: "1" }]);
    expect(named, named.text).toMatchObject({ status: 200, body: { metadata: { labels: { "spark-exec-id": "1" } } } });

    const scalePath = pathOf(driver, plural, driver.setName(kind), "scale");
    const scale = await client.get(scalePath);
    expect(scale.body).toMatchObject({ kind: "Scale", spec: { replicas: 2 } });
    const scaled = await client.put(scalePath, { ...scale.body, spec: { replicas: 3 } });
    expect(scaled).toMatchObject({ status: 200, body: { spec: { replicas: 3 } } });
    await hasRunning(driver, gateway, 3);
    await client.put(scalePath, { ...scale.body, spec: { replicas: 0 } });
    await eventually(async () => expect(await executorsOf(driver, gateway)).toEqual([]));

    const set = pathOf(driver, plural, driver.setName(kind));
    for (const [method, at] of [
      ["GET", set],
      ["GET", scalePath],
      ["PUT", scalePath],
      ["DELETE", set],
    ] as const) {
      const answer = await other
        .at(gateway)
        .request(method, at, method === "PUT" ? { spec: { replicas: 1 } } : undefined);
      expect(answer.status, `${method} ${at}`).toBe(404);
    }
    expect((await client.get(set)).body).toMatchObject({ spec: { replicas: 0 } });
    const deletion = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" };
    expect((await client.delete(set, deletion)).body).toMatchObject({ status: "Success" });
    expect((await client.get(set)).status).toBe(404);
    expect((await client.delete(set, deletion)).status).toBe(404);
  });

  test("is held to what executors are held to", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { settings: ["--executors-per-application", "4"] });
    const driver = await FakeDriver.run(cluster, "drv");
    const client = driver.at(gateway);
    const executor = driver.executor(0);
    const refusals: readonly (readonly [AskedSet, RegExp])[] = [
      [{ selected: { "spark-role": "executor" } }, /its selector must have spark-app-selector=spark-drv/],
      [{ owner: "another" }, /its owner can only be the driver's pod/],
      [{ changes: { spec: { ...executor.spec, containers: [], hostNetwork: true } } }, /it has spec\.hostNetwork, and/],
      [
        { changes: { metadata: { labels: { "spark-role": "executor", "spark-app-selector": "x" } } } },
        /its selector must/,
      ],
      [{ replicas: 5 }, /at most 4 executor pods are allowed for one application/],
    ];
    for (const [asked, why] of refusals) {
      const answer = await client.post(pathOf(driver, plural), driver.setOf(kind, asked));
      expect(answer.status, answer.text).toBe(403);
      expect(answer.body["message"]).toMatch(why);
    }
    expect((await client.post(pathOf(driver, plural), driver.setOf(kind, { replicas: -1 }))).status).toBe(400);
    expect(cluster.api.writes.filter(({ path }) => path.startsWith("/apis/apps"))).toEqual([]);

    expect((await client.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
    expect((await client.post(pathOf(driver, plural), driver.setOf(kind))).status).toBe(201);
    const scale = pathOf(driver, plural, driver.setName(kind), "scale");
    expect((await client.put(scale, { spec: { replicas: 4 } })).status).toBe(403);
    expect((await client.put(scale, { spec: { replicas: "many" } })).status).toBe(400);
    expect((await client.put(scale, { spec: { replicas: 3 } })).status).toBe(200);
    expect((await client.post(driver.path("pods"), driver.executor(2))).status).toBe(403);
    expect((await client.get(pathOf(driver, plural))).status).toBe(403);
  });

  test("is served by the next gateway, with its pods", async () => {
    const cluster = await TestCluster.start();
    const first = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    await driver.at(first).post(pathOf(driver, plural), driver.setOf(kind));
    await first.stop();
    const second = await startTestGateway(cluster, { settings: ["--executors-per-application", "3"] });
    await eventually(async () => expect(await executorsOf(driver, second)).toHaveLength(2));
    const client = driver.at(second);
    expect((await client.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
    expect((await client.post(driver.path("pods"), driver.executor(2))).status).toBe(403);
    const scaled = await client.put(pathOf(driver, plural, driver.setName(kind), "scale"), { spec: { replicas: 1 } });
    expect(scaled.body).toMatchObject({ spec: { replicas: 1 } });
    await eventually(async () => expect(await executorsOf(driver, second)).toHaveLength(2));
  });

  test("does not outlive a driver that has failed", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { settings: ["--executors-orphan-grace", "1s"] });
    const driver = await FakeDriver.run(cluster, "drv");
    await driver.at(gateway).post(pathOf(driver, plural), driver.setOf(kind));
    await eventually(async () => expect(await executorsOf(driver, gateway)).toHaveLength(2));
    const status = { ...driver.pod.status, phase: "Failed" };
    await cluster.send("PATCH", `${driver.path("pods", "drv")}/status`, { status });
    await eventually(async () => {
      const { items: sets } = (await cluster.send("GET", pathOf(driver, plural))) as { readonly items: StatefulSet[] };
      expect(sets).toEqual([]);
      expect((await cluster.objects<Pod>("Pod")).map(({ metadata }) => metadata?.name)).toEqual(["drv"]);
    });
  });
});
