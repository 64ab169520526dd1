import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { EventList, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver, items } from "../../support/fake-driver.ts";
import { startTestGateway, type TestGateway } from "../../support/test-gateway.ts";
import { wantedExecutor } from "./memory-scene.ts";

const OOM = "Terminating due to java.lang.OutOfMemoryError: Java heap space";

interface Scene {
  readonly cluster: TestCluster;
  readonly driver: FakeDriver;
  gateway: TestGateway;
  client: ApiClient;
}

/** A driver of an application with `spark.kindling.memory=heal`, and further wishes. */
async function scene(wish: object = {}): Promise<Scene> {
  const cluster = await TestCluster.start();
  const annotations = {
    "scheduler.kindling/memory": JSON.stringify({ mode: "heal", taskCpus: 1, attempts: 4, ...wish }),
  };
  const labels = { "scheduler.kindling/gateway": "true" };
  const driver = await FakeDriver.run(cluster, "drv", { annotations, labels });
  const gateway = await startTestGateway(cluster);
  return { cluster, driver, gateway, client: driver.at(gateway) };
}

/** Asks for an executor, and awaits that it runs. */
async function runs({ driver, client, cluster }: Scene, id: number): Promise<Pod> {
  const pod = wantedExecutor(driver, id);
  expect((await client.post(driver.path("pods"), pod)).status).toBe(201);
  return await cluster.inPhase(await driver.made(pod.metadata?.name ?? ""), "Running");
}

async function asksFor({ driver, client }: Scene, id: number): Promise<Pod> {
  const pod = wantedExecutor(driver, id);
  await client.post(driver.path("pods"), pod);
  return await driver.made(pod.metadata?.name ?? "");
}

function sizeOf({ spec }: Pod): readonly (string | undefined)[] {
  const [container] = spec?.containers ?? [];
  const valueOf = (name: string): string | undefined => container?.env?.find((one) => one.name === name)?.value;
  return [valueOf("SPARK_EXECUTOR_MEMORY"), container?.resources?.limits?.["memory"], valueOf("SPARK_EXECUTOR_CORES")];
}

/** Awaits that the driver sees the end of an executor. */
async function seen({ driver, client }: Scene, id: number): Promise<Pod> {
  return await eventually(async () => {
    const pods = items(await client.get(driver.path("pods")));
    const pod = pods.find(({ metadata }) => metadata?.labels?.["spark-exec-id"] === String(id));
    expect(pod?.status?.phase).toBe("Failed");
    return pod ?? {};
  });
}

async function record({ cluster, driver }: Scene): Promise<string> {
  const pod = (await cluster.send("GET", driver.path("pods", "drv"))) as Pod;
  const text = pod.metadata?.annotations?.["gateway.kindling/memory"] ?? "{}";
  return (JSON.parse(text) as { readonly words?: string }).words ?? "";
}

describe("an executor that the kernel has killed", () => {
  test("is seen by its driver with what is done about it, and its successor has a larger container", async () => {
    const it = await scene();
    const first = await runs(it, 1);
    it.cluster.end(first, 137, "OOMKilled");
    const { metadata, status } = await seen(it, 1);
    expect(metadata?.deletionTimestamp).toBeUndefined();
    const words =
      /^executor 1 used more than its container's 1408 MiB, and was killed \(OOMKilled\); executors from now on have 2112 MiB/;
    expect(status?.message).toMatch(words);
    expect(sizeOf(await asksFor(it, 2))).toEqual(["1024m", "2112Mi", "2"]);
    await eventually(async () => expect(await record(it)).toMatch(words));
    await eventually(async () => {
      const { items: events } = (await it.cluster.send("GET", it.driver.path("events"))) as EventList;
      expect(events.filter(({ reason }) => reason === "MemoryGrown").map(({ message }) => message)).toEqual([
        expect.stringMatching(words),
      ]);
    });
  });

  test("is deleted if its successors are larger already, so that Spark does not count it", async () => {
    const it = await scene();
    const [first, second] = [await runs(it, 1), await runs(it, 2)];
    it.cluster.end(first, 137, "OOMKilled");
    await seen(it, 1);
    it.cluster.end(second, 137, "OOMKilled");
    await eventually(async () => {
      const left = await it.driver.executorsInCluster();
      expect(left).not.toContain(second.metadata?.name);
    });
    expect(sizeOf(await asksFor(it, 3))).toEqual(["1024m", "2112Mi", "2"]);
    expect(await (await fetch(new URL("/metrics", it.gateway.adminUri))).text()).toContain(
      'gateway_executors_memory_total{cause="container",outcome="known"} 1',
    );
  });

  test("stays in the cluster if its application keeps ended executors", async () => {
    const it = await scene({ keepsEnded: true });
    const [first, second] = [await runs(it, 1), await runs(it, 2)];
    it.cluster.end(first, 137, "OOMKilled");
    await seen(it, 1);
    it.cluster.end(second, 137, "OOMKilled");
    expect((await seen(it, 2)).metadata?.deletionTimestamp).toBeDefined();
    expect(await it.driver.executorsInCluster()).toContain(second.metadata?.name);
  });
});

test("the log of an executor says which memory was full", async () => {
  const it = await scene();
  const first = await runs(it, 1);
  it.cluster.writeLog(first, ["INFO Executor: Running task 0.0", OOM]);
  it.cluster.end(first, 3);
  expect((await seen(it, 1)).status?.message).toMatch(/^Java's heap of 1024 MiB was full in executor 1/);
  expect(sizeOf(await asksFor(it, 2))).toEqual(["1536m", "1920Mi", "2"]);
});

test("an executor that ended for another reason is shown as it is, and changes nothing", async () => {
  const it = await scene();
  const first = await runs(it, 1);
  it.cluster.writeLog(first, ["ERROR Executor: Exiting due to a bug"]);
  it.cluster.end(first, 1);
  expect((await seen(it, 1)).status?.message).toBeUndefined();
  expect(sizeOf(await asksFor(it, 2))).toEqual(["1024m", "1408Mi", "2"]);
  expect(await record(it)).toBe("");
});

test("at the largest size the driver is told the number, and executors grow no more", async () => {
  const it = await scene({ max: 1500 });
  for (const id of [1, 2]) {
    it.cluster.end(await runs(it, id), 137, "OOMKilled");
    await seen(it, id);
  }
  expect((await seen(it, 2)).status?.message).toBe(
    "executor 2 used more than its container's 1408 MiB, and was killed (OOMKilled), and it gets no more: spark.kindling.memory.max allows 1500 MiB",
  );
  expect(sizeOf(await asksFor(it, 3))).toEqual(["1024m", "1408Mi", "1"]);
});

test("another gateway goes on where the first one stopped", async () => {
  const it = await scene();
  it.cluster.end(await runs(it, 1), 137, "OOMKilled");
  await seen(it, 1);
  const second = await runs(it, 2);
  await eventually(async () => expect(await record(it)).not.toBe(""));
  await it.gateway.stop();
  // The record may be lost: then the executors tell.
  const annotations = { "gateway.kindling/memory": null };
  await it.cluster.send("PATCH", it.driver.path("pods", "drv"), { metadata: { annotations } });
  it.gateway = await startTestGateway(it.cluster);
  it.client = it.driver.at(it.gateway);
  expect(sizeOf(await asksFor(it, 3))).toEqual(["1024m", "2112Mi", "2"]);
  it.cluster.end(second, 137, "OOMKilled");
  await seen(it, 2);
  expect(sizeOf(await asksFor(it, 4))).toEqual(["1024m", "2816Mi", "2"]);
});

test("without spark.kindling.memory nothing changes", async () => {
  const it = await scene({ mode: "off" });
  const first = await runs(it, 1);
  it.cluster.end(first, 137, "OOMKilled");
  expect((await seen(it, 1)).status?.message).toBeUndefined();
  expect(sizeOf(await asksFor(it, 2))).toEqual(["1024m", "1408Mi", "2"]);
});
