import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver, names } from "./support/fake-driver.ts";
import { Door } from "./support/policies.ts";
import { startTestGateway } from "./support/test-gateway.ts";

function mounting(claim: string): Pick<NonNullable<Pod["spec"]>, "volumes"> {
  return { volumes: [{ name: "drv-exec-1-pvc-0", persistentVolumeClaim: { claimName: claim } }] };
}

async function claimsInCluster(cluster: TestCluster): Promise<string[]> {
  const claims = await cluster.objects<PersistentVolumeClaim>("PersistentVolumeClaim");
  return claims.map(({ metadata }) => metadata?.name ?? "");
}

/** The create requests to the API server, in order. */
function created(cluster: TestCluster): string[] {
  return cluster.api.writes
    .filter(({ method, path }) => method === "POST" && path.startsWith("/api/v1/namespaces/"))
    .map(({ body }) => (body as Pod).metadata?.name ?? "");
}

test("claims are held back with the executors that mount them, and made in the right order", async () => {
  const cluster = await TestCluster.start();
  const door = new Door();
  const gateway = await startTestGateway(cluster, { policy: door.policy });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const one = await client.post(driver.path("pods"), driver.executor(1, { spec: mounting("drv-exec-1-pvc-0") }));
  await client.post(driver.path("pods"), driver.executor(2, { spec: mounting("drv-exec-2-pvc-0") }));
  const mine = await client.post(driver.path("persistentvolumeclaims"), driver.claim("drv-exec-1-pvc-0", one.body));
  expect(mine).toMatchObject({ status: 201, body: { status: { phase: "Pending" } } });
  await client.post(driver.path("persistentvolumeclaims"), driver.claim("drv-exec-2-pvc-0", driver.pod));
  const listed = await client.get(
    `${driver.path("persistentvolumeclaims")}?labelSelector=spark-app-selector%3D${driver.app}`,
  );
  expect(names(listed)).toEqual(["drv-exec-1-pvc-0", "drv-exec-2-pvc-0"]);
  expect(await claimsInCluster(cluster)).toEqual([]);

  door.isOpen = true;
  // Another request, so that admission decides again.
  await client.post(driver.path("pods"), driver.executor(3));
  await eventually(async () =>
    expect(await claimsInCluster(cluster)).toEqual(["drv-exec-1-pvc-0", "drv-exec-2-pvc-0"]),
  );
  const order = created(cluster);
  expect(order.indexOf("drv-exec-1-pvc-0")).toBeGreaterThan(order.indexOf("drv-exec-1"));
  expect(order.indexOf("drv-exec-2-pvc-0")).toBeLessThan(order.indexOf("drv-exec-2"));
  const real = await driver.made("drv-exec-1");
  const claim = (await cluster.send(
    "GET",
    driver.path("persistentvolumeclaims", "drv-exec-1-pvc-0"),
  )) as PersistentVolumeClaim;
  expect(claim.metadata?.ownerReferences).toMatchObject([{ name: "drv-exec-1", uid: real.metadata?.uid }]);
  // It is the same claim that the driver created.
  const seen = await client.get(driver.path("persistentvolumeclaims", "drv-exec-1-pvc-0"));
  expect((seen.body as PersistentVolumeClaim).metadata?.uid).toBe((mine.body as PersistentVolumeClaim).metadata?.uid);
});

test("a claim of an executor that has been made is made at once, with the executor's real uid", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const posted = await client.post(driver.path("pods"), driver.executor(1, { spec: mounting("drv-exec-1-pvc-0") }));
  const real = await driver.made("drv-exec-1");
  await eventually(async () => {
    const claim = driver.claim("drv-exec-1-pvc-0", posted.body);
    expect((await client.post(driver.path("persistentvolumeclaims"), claim)).status).toBe(201);
  });
  await eventually(async () => {
    const claim = (await cluster.send(
      "GET",
      driver.path("persistentvolumeclaims", "drv-exec-1-pvc-0"),
    )) as PersistentVolumeClaim;
    expect(claim.metadata?.ownerReferences).toMatchObject([{ uid: real.metadata?.uid }]);
  });
  await client.delete(`${driver.path("persistentvolumeclaims")}?labelSelector=spark-app-selector%3D${driver.app}`);
  await cluster.delete(real, { gracePeriodSeconds: 0 });
  await eventually(async () => {
    expect(await claimsInCluster(cluster)).toEqual([]);
    expect(names(await client.get(driver.path("persistentvolumeclaims")))).toEqual([]);
  });
});

test.each(["the driver", "the executor"] as const)(
  "a claim of %s that is asked for while its executor is being made is made after it",
  async (owner) => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    const client = driver.at(gateway);
    let goOn = (): void => undefined;
    const until = new Promise<void>((resolve) => (goOn = resolve));
    const isOfPod = (method: string, path: string): boolean => method === "POST" && path.endsWith("/pods");
    cluster.api.fault = ({ method, path }) => (isOfPod(method, path) ? { kind: "wait", until } : undefined);
    const posted = await client.post(driver.path("pods"), driver.executor(1, { spec: mounting("drv-exec-1-pvc-0") }));
    await eventually(() => expect(cluster.api.writes.some(({ method, path }) => isOfPod(method, path))).toBe(true));
    const claim = driver.claim("drv-exec-1-pvc-0", owner === "the driver" ? driver.pod : posted.body);
    expect((await client.post(driver.path("persistentvolumeclaims"), claim)).status).toBe(201);
    expect(await claimsInCluster(cluster)).toEqual([]);
    goOn();
    await eventually(async () => expect(await claimsInCluster(cluster)).toEqual(["drv-exec-1-pvc-0"]));
  },
);

test("a claim goes with the executor that owns it, and one of the driver's stays", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { policy: new Door().policy });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const spec = {
    volumes: [
      ...(mounting("drv-exec-1-pvc-0").volumes ?? []),
      { name: "b", persistentVolumeClaim: { claimName: "drv-exec-1-pvc-1" } },
    ],
  };
  const pod = await client.post(driver.path("pods"), driver.executor(1, { spec }));
  await client.post(driver.path("persistentvolumeclaims"), driver.claim("drv-exec-1-pvc-0", pod.body));
  await client.post(driver.path("persistentvolumeclaims"), driver.claim("drv-exec-1-pvc-1", driver.pod));
  await client.delete(driver.path("pods", "drv-exec-1"));
  expect(names(await client.get(driver.path("persistentvolumeclaims")))).toEqual(["drv-exec-1-pvc-1"]);
});

test("claims and ConfigMaps of others, or in the name of others, are refused", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const [driver, other] = [await FakeDriver.run(cluster, "drv"), await FakeDriver.run(cluster, "other")];
  const client = driver.at(gateway);
  const claim = driver.claim("drv-exec-1-pvc-0", driver.pod);
  for (const wrong of [
    { ...claim, metadata: { ...claim.metadata, labels: { "spark-app-selector": other.app } } },
    {
      ...claim,
      metadata: { ...claim.metadata, ownerReferences: other.claim("x", other.pod).metadata?.ownerReferences },
    },
  ]) {
    expect((await client.post(driver.path("persistentvolumeclaims"), wrong)).status).toBe(403);
    expect(
      (await client.post(driver.path("configmaps"), { ...wrong, kind: "ConfigMap", spec: undefined })).status,
    ).toBe(403);
  }
  expect(cluster.api.writes.filter(({ path }) => path.startsWith("/api/"))).toEqual([]);
});

test("the executors' ConfigMap is made at once, a second time without harm, and deleted by its labels", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const { ownerReferences } = driver.executor(1).metadata ?? {};
  const labels = { "spark-app-selector": driver.app, "spark-role": "executor" };
  const map = {
    metadata: { name: "spark-exec-0a1b2c3d4e5f6071-conf-map", labels, ownerReferences },
    data: { a: "b" },
    immutable: true,
  };
  await cluster.send("POST", driver.path("configmaps"), {
    metadata: { name: "another", labels: { "spark-role": "executor" } },
  });
  const first = await client.post(driver.path("configmaps"), map);
  expect(first).toMatchObject({ status: 201, body: { data: { a: "b" } } });
  expect(await client.post(driver.path("configmaps"), map)).toMatchObject({
    status: 201,
    body: { metadata: { uid: (first.body as Pod).metadata?.uid } },
  });
  expect((await client.post(driver.path("configmaps"), { ...map, data: { a: "c" } })).status).toBe(409);
  expect((await client.delete(`${driver.path("configmaps")}?labelSelector=spark-role%3Dexecutor`)).status).toBe(200);
  expect(await cluster.objects("ConfigMap")).toMatchObject([{ metadata: { name: "another" } }]);
});

test("the services of an application are deleted, and no others", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  for (const [name, app] of [
    ["mine", driver.app],
    ["other", "spark-other"],
  ] as const) {
    const spec = { clusterIP: "None", ports: [{ port: 7078 }] };
    await cluster.send("POST", driver.path("services"), {
      metadata: { name, labels: { "spark-app-selector": app } },
      spec,
    });
  }
  expect((await driver.at(gateway).delete(driver.path("services"))).status).toBe(200);
  expect(await cluster.objects("Service")).toMatchObject([{ metadata: { name: "other" } }]);
});
