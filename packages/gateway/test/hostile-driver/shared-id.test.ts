import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { PersistentVolumeClaim, Pod, Service } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver, names } from "../support/fake-driver.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const APP = "etl";

interface Scene {
  readonly cluster: TestCluster;
  readonly gateway: TestGateway;
  readonly one: FakeDriver;
  readonly two: FakeDriver;
}

/** Two drivers in one namespace whose applications have the same id, with everything that Spark creates for each. */
async function scene(): Promise<Scene> {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const one = await FakeDriver.run(cluster, "one", { app: APP });
  const two = await FakeDriver.run(cluster, "two", { app: APP });
  for (const [driver, digit] of [
    [one, "1"],
    [two, "2"],
  ] as const) {
    const client = driver.at(gateway);
    const name = driver.pod.metadata?.name ?? "";
    const spec = {
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: `${name}-exec-1-pvc-0` } }],
    };
    const executor = await client.post(driver.path("pods"), driver.executor(1, { spec }));
    const claims = driver.path("persistentvolumeclaims");
    await client.post(claims, driver.claim(`${name}-exec-1-pvc-0`, executor.body));
    await client.post(claims, driver.claim(`${name}-exec-2-pvc-0`, driver.pod));
    const { ownerReferences } = driver.executor(1).metadata ?? {};
    const labels = { "spark-app-selector": APP, "spark-role": "executor" };
    const metadata = { name: `spark-exec-${digit.repeat(16)}-conf-map`, labels, ownerReferences };
    await client.post(driver.path("configmaps"), { metadata });
    const service = { name: `${name}-svc`, labels: { "spark-app-selector": APP }, ownerReferences };
    const ports = [{ port: 7078 }];
    await cluster.send("POST", driver.path("services"), { metadata: service, spec: { clusterIP: "None", ports } });
    await driver.made(`${name}-exec-1`);
  }
  await eventually(async () => expect(await claimsOf(cluster, "")).toHaveLength(4));
  return { cluster, gateway, one, two };
}

async function claimsOf(cluster: TestCluster, start: string): Promise<string[]> {
  const claims = await cluster.objects<PersistentVolumeClaim>("PersistentVolumeClaim");
  return claims.flatMap(({ metadata }) => metadata?.name ?? []).filter((name) => name.startsWith(start));
}

/** Spark's deletions when it stops, in order. */
async function stop(driver: FakeDriver, client: ApiClient): Promise<void> {
  const app = `spark-app-selector%3D${APP}`;
  for (const [resource, selector] of [
    ["services", app],
    ["persistentvolumeclaims", app],
    ["pods", driver.executorSelector],
    ["configmaps", driver.executorSelector],
  ] as const) {
    const options = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" };
    const { status } = await client.delete(`${driver.path(resource)}?labelSelector=${selector}`, options);
    expect(status, resource).toBe(200);
  }
}

test("a driver that stops deletes what is its own, and nothing of another one with its application's id", async () => {
  const { cluster, gateway, one, two } = await scene();
  await stop(one, one.at(gateway));
  await eventually(async () => {
    expect(await one.executorsInCluster()).toEqual([]);
    expect(await claimsOf(cluster, "one-")).toEqual([]);
  });
  expect(await two.executorsInCluster()).toEqual(["two-exec-1"]);
  expect(await claimsOf(cluster, "two-")).toHaveLength(2);
  const maps = (await cluster.objects<Pod>("ConfigMap")).map(({ metadata }) => metadata?.name);
  expect(maps).toEqual([`spark-exec-${"2".repeat(16)}-conf-map`]);
  const services = await cluster.objects<Service>("Service");
  expect(services.map(({ metadata }) => metadata?.name)).toContain("two-svc");
});

test("neither driver sees claims of the other, or can delete one by its name", async () => {
  const { cluster, gateway, one, two } = await scene();
  await eventually(async () => {
    const listed = await one.at(gateway).get(one.path("persistentvolumeclaims"));
    expect(names(listed)).toEqual(["one-exec-1-pvc-0", "one-exec-2-pvc-0"]);
  });
  const path = one.path("persistentvolumeclaims", "two-exec-2-pvc-0");
  expect((await one.at(gateway).delete(path)).status).toBe(404);
  await gateway.stop();
  const next = await startTestGateway(cluster);
  const seen = names(await two.at(next).get(two.path("persistentvolumeclaims")));
  expect(seen).toEqual(["two-exec-1-pvc-0", "two-exec-2-pvc-0"]);
  expect((await one.at(next).delete(path)).status).toBe(404);
});

test("executors that run without a driver's pod stay, though a driver has their application's id", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  await cluster.createPod(aPod("shell-exec-1").in("spark-jobs").executor(1, APP).build());
  const driver = await FakeDriver.run(cluster, "drv", { app: APP });
  await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
  await driver.made("drv-exec-1");
  await stop(driver, driver.at(gateway));
  await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
  const pods = (await cluster.objects<Pod>("Pod")).map(({ metadata }) => metadata?.name);
  expect(pods).toEqual(["drv", "shell-exec-1"]);
});

test("a driver's executors are deleted in one request where nobody else has its application's id", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  for (let id = 1; id <= 5; id += 1) await client.post(driver.path("pods"), driver.executor(id));
  await eventually(async () => expect(await driver.executorsInCluster()).toHaveLength(5));
  expect((await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`)).status).toBe(200);
  const deletions = cluster.api.writes.filter(({ method, path }) => method === "DELETE" && path.includes("/pods"));
  expect(deletions).toHaveLength(1);
});
