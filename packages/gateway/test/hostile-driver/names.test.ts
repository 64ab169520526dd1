import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { runHandedOver } from "../support/handed-over.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const GENERATED = "spark-pi-7469dd71c499fafb";

async function status(client: ApiClient, driver: FakeDriver, name: string): Promise<number> {
  const id = Number(/\d+$/.exec(name)?.[0] ?? 1);
  return (await client.post(driver.path("pods"), driver.executor(id, { name }))).status;
}

/** A driver whose submission sets these keys. */
async function submitted(cluster: TestCluster, name: string, conf: Record<string, string>): Promise<FakeDriver> {
  return await runHandedOver(cluster, name, { steps: [], conf });
}

async function start(): Promise<{ cluster: TestCluster; gateway: TestGateway }> {
  const cluster = await TestCluster.start();
  return { cluster, gateway: await startTestGateway(cluster) };
}

const PREFIX = "spark.kubernetes.executor.podNamePrefix";

describe("executors may be called", () => {
  test.each([
    ["as the submission says", "drv", { [PREFIX]: "etl-daily" }, "etl-daily"],
    ["as the submission says, with a prefix that ends so", "drv", { [PREFIX]: "etl-" }, "etl-"],
    ["as the driver's pod", "s3table-example", {}, "s3table-example"],
    ["as the driver's pod without its end", "job-0a1b-driver", {}, "job-0a1b"],
    ["as Spark makes it up", "drv", {}, GENERATED],
    ["as Spark makes it up for a name that begins with a digit", "drv", {}, "x-7469dd71c499fafb"],
    ["as the arguments say in client mode", "jupyter", { args: "pyspark-exec-bob" }, "pyspark-exec-bob"],
  ])("%s", async (_how, name, conf, prefix) => {
    const { cluster, gateway } = await start();
    const args = "args" in conf ? ["spark-shell", "--conf", `${PREFIX}=${conf.args}`] : undefined;
    const containers = [{ name: "spark-kubernetes-driver", image: "spark", ...(args && { args }) }];
    const driver =
      args === undefined
        ? await submitted(cluster, name, conf)
        : await FakeDriver.run(cluster, name, { spec: { containers } });
    expect(await status(driver.at(gateway), driver, `${prefix}-exec-1`)).toBe(201);
    expect((await driver.made(`${prefix}-exec-1`)).metadata?.name).toBe(`${prefix}-exec-1`);
  });
});

describe("a driver cannot take", () => {
  test("names that are not of its executors", async () => {
    const { cluster, gateway } = await start();
    const driver = await submitted(cluster, "drv", { [PREFIX]: "etl" });
    const client = driver.at(gateway);
    for (const name of ["web", "etl", "etl-exec-2", "reports-exec-1", "kube-dns-exec-1"]) {
      const { text } = await client.post(driver.path("pods"), driver.executor(1, { name }));
      expect(text, name).toContain("its name must be <prefix>-exec-<its label spark-exec-id>");
    }
    expect(await status(client, driver, "etl-exec-1")).toBe(201);
    await driver.made("etl-exec-1");
    expect(await driver.executorsInCluster()).toEqual(["etl-exec-1"]);
  });

  test("names of executors that another driver will ask for, whatever says that they are the other's", async () => {
    const { cluster, gateway } = await start();
    const victims = [
      [await FakeDriver.run(cluster, "etl-driver"), "etl"],
      [await FakeDriver.run(cluster, "reports"), "reports"],
      [await FakeDriver.run(cluster, "drv"), GENERATED],
    ] as const;
    for (const [victim, prefix] of victims) {
      expect(await status(victim.at(gateway), victim, `${prefix}-exec-1`)).toBe(201);
    }
    const hostile = await submitted(cluster, "hostile", { [PREFIX]: "etl" });
    const client = hostile.at(gateway);
    for (const [victim, prefix] of victims) {
      expect(await status(client, hostile, `${prefix}-exec-2`), prefix).toBe(403);
      expect(await status(victim.at(gateway), victim, `${prefix}-exec-2`), prefix).toBe(201);
    }
  });

  test("a prefix that another driver used before the gateway was started", async () => {
    const { cluster, gateway } = await start();
    const victim = await FakeDriver.run(cluster, "drv");
    expect(await status(victim.at(gateway), victim, `${GENERATED}-exec-1`)).toBe(201);
    await victim.made(`${GENERATED}-exec-1`);
    await gateway.stop();
    const next = await startTestGateway(cluster);
    const hostile = await FakeDriver.run(cluster, "hostile");
    expect(await status(hostile.at(next), hostile, `${GENERATED}-exec-2`)).toBe(403);
    expect(await status(victim.at(next), victim, `${GENERATED}-exec-2`)).toBe(201);
  });

  test("a name with an executor that it may never have", async () => {
    const { cluster, gateway } = await start();
    const victim = await FakeDriver.run(cluster, "etl-driver");
    const hostile = await FakeDriver.run(cluster, "hostile");
    const client = hostile.at(gateway);
    for (let time = 0; time < 5; time += 1) await status(client, hostile, "etl-exec-1");
    expect(await status(victim.at(gateway), victim, "etl-exec-1")).toBe(201);
    expect((await victim.made("etl-exec-1")).metadata?.ownerReferences).toMatchObject([{ name: "etl-driver" }]);
  });

  test("names of ConfigMaps, claims and sets that are not its own", async () => {
    const { cluster, gateway } = await start();
    const driver = await FakeDriver.run(cluster, "drv");
    await FakeDriver.run(cluster, "etl-driver");
    const client = driver.at(gateway);
    const labels = { "spark-app-selector": driver.app };
    for (const name of ["kindling", "kindling-gateway-ca", "spark-exec-x-conf-map", "spark-drv-1-conf-map"]) {
      expect((await client.post(driver.path("configmaps"), { metadata: { name, labels } })).status, name).toBe(403);
    }
    for (const name of ["data", "etl-exec-1-pvc-0", "drv-exec-1-pvc-x", "data-1"]) {
      const claim = driver.claim(name, driver.pod);
      expect((await client.post(driver.path("persistentvolumeclaims"), claim)).status, name).toBe(403);
    }
    const set = driver.setOf("StatefulSet") as { metadata: object };
    for (const name of ["web", "spark-s-spark-other-0", `spark-d-${driver.app}-0`, `spark-s-${driver.app}-x`]) {
      const sets = `/apis/apps/v1/namespaces/${driver.namespace}/statefulsets`;
      expect((await client.post(sets, { ...set, metadata: { ...set.metadata, name } })).status, name).toBe(403);
    }
    expect(await cluster.objects<Pod>("ConfigMap")).toEqual([]);
  });
});

test("claims may be called as the submission says, with the executor's id", async () => {
  const { cluster, gateway } = await start();
  const key = (volume: string): string => `spark.kubernetes.executor.volumes.persistentVolumeClaim.${volume}.options`;
  const driver = await submitted(cluster, "drv", {
    [`${key("a")}.claimName`]: "data-SPARK_EXECUTOR_ID-a",
    [`${key("b")}.claimName`]: "scratch-OnDemand",
    [`${key("c")}.claimName`]: "fixed",
  });
  const client = driver.at(gateway);
  for (const [name, answer] of [
    ["data-12-a", 201],
    ["data-x-a", 403],
    ["scratch-drv-exec-1-pvc-0", 201],
    ["scratch-other-exec-1-pvc-0", 403],
    ["fixed", 403],
  ] as const) {
    const claim = driver.claim(name, driver.pod);
    expect((await client.post(driver.path("persistentvolumeclaims"), claim)).status, name).toBe(answer);
  }
});
