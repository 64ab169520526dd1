import { type Clock, systemClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { ADDRESSED } from "../../support/handed-over.ts";
import { askedBySpark, madeEarly, runEarly } from "../../support/early-application.ts";
import { type FakeDriver, names } from "../../support/fake-driver.ts";
import { admitting } from "../../support/policies.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

const EARLY = "gateway.kindling/early";
const CLAIM = "spark.kubernetes.executor.volumes.persistentVolumeClaim.data";
const ON_DEMAND = {
  [`${CLAIM}.mount.path`]: "/data",
  [`${CLAIM}.options.claimName`]: "OnDemand",
  [`${CLAIM}.options.sizeLimit`]: "1Gi",
};
const NAMES = ["drv-exec-1", "drv-exec-2"];

async function uidOf(driver: FakeDriver, name: string): Promise<string | undefined> {
  return (await driver.made(name)).metadata?.uid;
}

/** The executors as their driver sees them. */
async function seen(driver: FakeDriver, gateway: { readonly uri: string }): Promise<string[]> {
  return names(await driver.at(gateway).get(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`));
}

describe("executors of an application without dynamic allocation", () => {
  test("are in the cluster before their driver asks, wait for it, and are its own when it does", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await runEarly(cluster);
    expect(await madeEarly(driver, 2)).toEqual(NAMES);
    const early = await driver.made("drv-exec-1");
    expect(early.metadata?.annotations).toMatchObject({ [EARLY]: "true" });
    const port = { name: "DRIVER_PORT", value: "7079" };
    const address = { name: "DRIVER_ADDRESS", value: driver.pod.status?.podIP };
    expect(early.spec?.initContainers).toMatchObject([{ image: "spark", env: [address, port] }]);
    expect(await seen(driver, gateway)).toEqual([]);

    const client = driver.at(gateway);
    const watch = await driver.watch(client, "web-socket");
    const answer = await client.post(driver.path("pods"), askedBySpark(driver, 1));
    const labels = { "spark-app-name": "named-in-its-code", "spark-exec-id": "1" };
    expect(answer).toMatchObject({ status: 201, body: { metadata: { name: "drv-exec-1", labels } } });
    const event = await watch.nextChange();
    const { uid } = (answer.body as Pod).metadata ?? {};
    expect(event).toMatchObject({ type: "ADDED", object: { metadata: { name: "drv-exec-1", uid } } });
    await eventually(async () => {
      const { metadata } = await driver.made("drv-exec-1");
      expect(metadata?.labels).toMatchObject(labels);
      expect(metadata?.annotations?.[EARLY]).toBeUndefined();
      expect(metadata?.uid).toBe(early.metadata?.uid);
    });
    expect(await seen(driver, gateway)).toEqual(["drv-exec-1"]);
    // The answer may have been lost.
    expect(await client.post(driver.path("pods"), askedBySpark(driver, 1))).toMatchObject({
      status: 201,
      body: { metadata: { uid } },
    });
    expect((await client.post(driver.path("pods"), askedBySpark(driver, 2))).status).toBe(201);
    expect(await madeEarly(driver, 2)).toEqual(NAMES);
  });

  test("mount a ConfigMap that goes with the driver, as that of Spark does", async () => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    const driver = await runEarly(cluster);
    await madeEarly(driver, 2);
    const { spec } = await driver.made("drv-exec-1");
    const name = spec?.volumes?.find((volume) => volume.name === "spark-conf-volume-exec")?.configMap?.name;
    const maps = await cluster.objects<ConfigMap>("ConfigMap");
    const map = maps.find(({ metadata }) => metadata?.name === name);
    expect(map?.metadata?.ownerReferences).toMatchObject([{ uid: driver.uid }]);
    expect(map?.metadata?.labels).toEqual({ "spark-app-selector": "spark-drv", "spark-role": "executor" });
    expect(map?.data?.["spark.kubernetes.namespace"]).toBe("spark-jobs");
  });

  test("get what steps add to executors, their own objects too", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { steps: [ADDRESSED] });
    const driver = await runEarly(cluster, { steps: [{ name: "addressed" }] });
    await madeEarly(driver, 2);
    await eventually(async () => {
      const { spec } = await driver.made("drv-exec-2");
      expect(spec?.schedulingGates ?? []).toEqual([]);
      expect(spec?.containers[0]?.env).toContainEqual({ name: "ADDRESS", value: "spark-drv-2" });
    });
    const uid = await uidOf(driver, "drv-exec-2");
    expect((await driver.at(gateway).post(driver.path("pods"), askedBySpark(driver, 2))).status).toBe(201);
    await eventually(async () => {
      expect((await driver.made("drv-exec-2")).metadata?.annotations?.[EARLY]).toBeUndefined();
    });
    expect(await uidOf(driver, "drv-exec-2")).toBe(uid);
  });

  test("begin with the pod template that their driver has for them", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const containers = [{ name: "spark", env: [{ name: "TEAM", value: "etl" }] }];
    const template = { metadata: { labels: { team: "etl" } }, spec: { containers } };
    const driver = await runEarly(cluster, { template });
    await madeEarly(driver, 2);
    const early = await driver.made("drv-exec-1");
    expect(early.metadata?.labels).toMatchObject({ team: "etl" });
    expect(early.spec?.containers[0]?.env).toContainEqual({ name: "TEAM", value: "etl" });
    const asked = askedBySpark(driver, 1, {}, template);
    expect((await driver.at(gateway).post(driver.path("pods"), asked)).status).toBe(201);
    await eventually(async () => {
      const { metadata } = await driver.made("drv-exec-1");
      expect(metadata?.annotations?.[EARLY]).toBeUndefined();
      expect(metadata?.uid).toBe(early.metadata?.uid);
    });
  });

  test.each<[string, Record<string, string>]>([
    ["a secret that it makes up", { "spark.authenticate": "true" }],
    ["classes of its image", { "spark.kubernetes.executor.pod.featureSteps": "com.example.Step" }],
    ["claims that it makes", ON_DEMAND],
  ])("are not made where the driver adds %s", async (_, conf) => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await runEarly(cluster, { conf });
    await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
    const { spec } = await driver.made("drv-exec-1");
    expect(spec?.initContainers ?? []).toEqual([]);
    expect(await driver.executorsInCluster()).toEqual(["drv-exec-1"]);
  });

  test("are not made where the driver's pod does not ask for it", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await runEarly(cluster, { early: 0 });
    await driver.at(gateway).post(driver.path("pods"), askedBySpark(driver, 1));
    const { spec } = await driver.made("drv-exec-1");
    expect(spec?.initContainers ?? []).toEqual([]);
    expect(await driver.executorsInCluster()).toEqual(["drv-exec-1"]);
  });

  test("wait for their admission like all others, and are asked for anew when the driver is quicker", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { policy: admitting((name) => name === "drv-exec-2") });
    const driver = await runEarly(cluster);
    expect(await madeEarly(driver, 1)).toEqual(["drv-exec-2"]);
    const client = driver.at(gateway);
    expect((await client.post(driver.path("pods"), askedBySpark(driver, 1))).status).toBe(201);
    expect((await client.post(driver.path("pods"), askedBySpark(driver, 2))).status).toBe(201);
    expect(await seen(driver, gateway)).toEqual(NAMES);
    expect(await driver.executorsInCluster()).toEqual(["drv-exec-2"]);
  });
});

describe("a driver that asks for something else than its configuration says", () => {
  test("gets what it asks for, under the same name, and what was made early is gone", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await runEarly(cluster);
    await madeEarly(driver, 2);
    const early = await uidOf(driver, "drv-exec-1");
    const asked = askedBySpark(driver, 1, { "spark.executor.memory": "2g" });
    expect((await driver.at(gateway).post(driver.path("pods"), asked)).status).toBe(201);
    await eventually(async () => {
      expect(await driver.executorsInCluster()).toEqual(["drv-exec-1"]);
      const { metadata, spec } = await driver.made("drv-exec-1");
      expect(metadata?.uid).not.toBe(early);
      expect(spec?.initContainers ?? []).toEqual([]);
      expect(spec?.containers[0]?.resources?.requests?.["memory"]).toBe("2432Mi");
    });
  });

  test("gives back those that it passes over", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await runEarly(cluster);
    await madeEarly(driver, 2);
    await driver.at(gateway).post(driver.path("pods"), askedBySpark(driver, 2));
    expect(await madeEarly(driver, 1)).toEqual(["drv-exec-2"]);
  });
});

test("executors of a driver that has ended without asking are deleted at once", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  const driver = await runEarly(cluster);
  await madeEarly(driver, 2);
  cluster.end(driver.pod, 1);
  expect(await madeEarly(driver, 0)).toEqual([]);
});

test("a driver that has run for long when a gateway starts asks for itself", async () => {
  const cluster = await TestCluster.start();
  const driver = await runEarly(cluster);
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + 60_000 };
  const gateway = await startTestGateway(cluster, { clock });
  await driver.at(gateway).post(driver.path("pods"), askedBySpark(driver, 2));
  expect((await driver.made("drv-exec-2")).spec?.initContainers ?? []).toEqual([]);
  expect(await driver.executorsInCluster()).toEqual(["drv-exec-2"]);
});

describe("a gateway that starts anew", () => {
  test("hands over what the one before it has made", async () => {
    const cluster = await TestCluster.start();
    const first = await startTestGateway(cluster);
    const driver = await runEarly(cluster);
    await madeEarly(driver, 2);
    await first.stop();
    const uid = await uidOf(driver, "drv-exec-1");
    const second = await startTestGateway(cluster);
    expect(await seen(driver, second)).toEqual([]);
    expect((await driver.at(second).post(driver.path("pods"), askedBySpark(driver, 1))).status).toBe(201);
    await eventually(async () => {
      expect((await driver.made("drv-exec-1")).metadata?.annotations?.[EARLY]).toBeUndefined();
    });
    expect(await uidOf(driver, "drv-exec-1")).toBe(uid);
    expect(await seen(driver, second)).toEqual(["drv-exec-1"]);
  });

  test("shows the driver what was handed over before", async () => {
    const cluster = await TestCluster.start();
    const first = await startTestGateway(cluster);
    const driver = await runEarly(cluster);
    await madeEarly(driver, 2);
    const client = driver.at(first);
    const { body } = await client.post(driver.path("pods"), askedBySpark(driver, 1));
    await eventually(async () => {
      expect((await driver.made("drv-exec-1")).metadata?.annotations?.[EARLY]).toBeUndefined();
    });
    await first.stop();
    const second = await startTestGateway(cluster);
    const answer = await driver.at(second).get(driver.path("pods", "drv-exec-1"));
    expect(answer).toMatchObject({ status: 200, body: { metadata: { uid: (body as Pod).metadata?.uid } } });
    expect(await seen(driver, second)).toEqual(["drv-exec-1"]);
  });
});
