import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { ConfigMap } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";

function configMap(driver: FakeDriver, id: number, bytes: number): ConfigMap {
  return {
    metadata: {
      name: `spark-exec-${String(id).padStart(16, "0")}-conf-map`,
      labels: { "spark-app-selector": driver.app },
      ownerReferences: driver.executor(1).metadata?.ownerReferences ?? [],
    },
    data: { text: "x".repeat(bytes) },
  };
}

test("a driver has so many ConfigMaps, also after the gateway has started anew, and one that is deleted makes room", async () => {
  const cluster = await TestCluster.start();
  const settings = ["--objects-config-maps-per-application", "3"];
  const first = await startTestGateway(cluster, { settings });
  const [driver, other] = [await FakeDriver.run(cluster, "drv"), await FakeDriver.run(cluster, "other")];
  const path = driver.path("configmaps");
  for (const id of [1, 2]) expect((await driver.at(first).post(path, configMap(driver, id, 10))).status).toBe(201);
  await first.stop();
  const gateway = await startTestGateway(cluster, { settings });
  const client = driver.at(gateway);
  expect((await client.post(path, configMap(driver, 3, 10))).status).toBe(201);
  expect((await client.post(path, configMap(driver, 4, 10))).body).toMatchObject({
    code: 403,
    message: expect.stringMatching(/a driver may have 3 ConfigMaps; delete some first/) as string,
  });
  // The same object again does not count as another one.
  expect((await client.post(path, configMap(driver, 3, 10))).status).toBe(201);
  expect((await other.at(gateway).post(path, configMap(other, 9, 10))).status).toBe(201);
  const { name } = configMap(driver, 1, 10).metadata ?? {};
  await cluster.send("DELETE", driver.path("configmaps", name));
  expect((await client.post(path, configMap(driver, 4, 10))).status).toBe(201);
});

test("ConfigMaps and sets of a driver, and those of all drivers, are so large together", async () => {
  const cluster = await TestCluster.start();
  const settings = ["--objects-stored-per-application", "50k", "--objects-stored", "80k"];
  const gateway = await startTestGateway(cluster, { settings });
  const [driver, other] = [await FakeDriver.run(cluster, "drv"), await FakeDriver.run(cluster, "other")];
  const client = driver.at(gateway);
  expect((await client.post(driver.path("configmaps"), configMap(driver, 1, 40_000))).status).toBe(201);
  const set = { ...driver.setOf("StatefulSet", { replicas: 0 }), x: "x".repeat(20_000) };
  const sets = `/apis/apps/v1/namespaces/${driver.namespace}/statefulsets`;
  expect((await client.post(sets, set)).body).toMatchObject({
    code: 403,
    message: expect.stringMatching(/may have 51200 bytes together/) as string,
  });
  expect((await other.at(gateway).post(other.path("configmaps"), configMap(other, 2, 45_000))).body).toMatchObject({
    code: 429,
  });
  await cluster.delete(driver.pod, { gracePeriodSeconds: 0 });
  await eventually(async () => {
    expect((await other.at(gateway).post(other.path("configmaps"), configMap(other, 2, 45_000))).status).toBe(201);
  });
});

test.each([
  ["StatefulSet", "statefulsets"],
  ["Deployment", "deployments"],
])("a driver has so many sets of no replicas: %s", async (kind, plural) => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--objects-sets-per-application", "1"] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const path = `/apis/apps/v1/namespaces/${driver.namespace}/${plural}`;
  const nameOf = (profile: number): string => driver.setName(kind).replace(/0$/, String(profile));
  const set = (profile: number): object => {
    const { metadata, ...rest } = driver.setOf(kind, { replicas: 0 }) as { readonly metadata: object };
    return { ...rest, metadata: { ...metadata, name: nameOf(profile) } };
  };
  expect((await client.post(path, set(0))).status).toBe(201);
  expect((await client.post(path, set(1))).body).toMatchObject({ code: 403 });
  expect((await client.delete(`${path}/${nameOf(0)}`)).status).toBe(200);
  expect((await client.post(path, set(1))).status).toBe(201);
});

test("an application has so many claims", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--objects-claims-per-application", "2"] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const path = driver.path("persistentvolumeclaims");
  for (const id of [1, 2])
    expect((await client.post(path, driver.claim(`drv-exec-${id}-pvc-0`, driver.pod))).status).toBe(201);
  expect((await client.post(path, driver.claim("drv-exec-3-pvc-0", driver.pod))).body).toMatchObject({
    code: 403,
    message: expect.stringMatching(/an application may have 2 claims/) as string,
  });
});
