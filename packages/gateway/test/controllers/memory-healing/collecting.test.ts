import { type Clock, systemClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver, items } from "../../support/fake-driver.ts";
import { startTestGateway } from "../../support/test-gateway.ts";
import { onThisMachine, startWebUi, wantedExecutor } from "./memory-scene.ts";

/** Time passes so many times faster for the gateway. */
const HASTE = 8;

const hasty: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * HASTE,
  after: (ms, callback) => systemClock.after(ms / HASTE, callback),
};

interface Scene {
  readonly driver: FakeDriver;
  readonly client: ApiClient;
  /** How often the web UI was asked. */
  readonly asked: () => number;
}

/** An application whose only executor collects garbage all the time, by its driver's web UI. */
async function scene(wish: object): Promise<Scene> {
  let asked = 0;
  const uiPort = await startWebUi(() => {
    asked++;
    return [
      { id: "1", isActive: true, peakMemoryMetrics: { MinorGCTime: 100, MajorGCTime: Math.round(hasty.monotonic()) } },
    ];
  });
  const cluster = await TestCluster.start();
  const known = { mode: "heal", taskCpus: 1, attempts: 4, uiPort, ...wish };
  const driver = await FakeDriver.run(cluster, "drv", {
    annotations: { "scheduler.kindling/memory": JSON.stringify(known) },
    labels: { "scheduler.kindling/gateway": "true" },
  });
  await onThisMachine(cluster, driver);
  const client = driver.at(await startTestGateway(cluster, { clock: hasty }));
  await client.post(driver.path("pods"), wantedExecutor(driver, 1));
  await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  return { driver, client, asked: () => asked };
}

test("an executor that only collects garbage is replaced by a larger one, and Spark does not count it", async () => {
  const { driver, client } = await scene({});
  const watch = await driver.watch(client, "web-socket");
  // What Spark takes for deleted, and does not count (ExecutorPodsSnapshot.scala).
  await eventually(
    async () => {
      const { metadata, status } = ((await watch.nextChange())?.object ?? {}) as Pod;
      expect([metadata?.deletionTimestamp !== undefined, status?.phase]).toEqual([true, "Failed"]);
    },
    { timeout: 30_000 },
  );
  await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
  await client.post(driver.path("pods"), wantedExecutor(driver, 2));
  const { spec } = await driver.made("drv-exec-2");
  expect(spec?.containers[0]?.env).toContainEqual({ name: "SPARK_EXECUTOR_MEMORY", value: "2048m" });
  await eventually(async () => {
    const own = items(await client.get(driver.path("pods"))).find(({ metadata }) => metadata?.name === "drv");
    expect(own?.metadata?.annotations?.["gateway.kindling/memory"]).toMatch(
      /Java's heap of 1024 MiB was almost full in executor 1, and garbage collection took \d+ of its last \d+ s; executors from now on have a heap of 2048 MiB/,
    );
  });
});

test("it is left alone if there is no more memory: it may still come to its end", async () => {
  const { driver, asked } = await scene({ max: 1408, taskCpus: 2 });
  const before = asked();
  await eventually(() => expect(asked()).toBeGreaterThan(before + 6), { timeout: 30_000 });
  expect(await driver.executorsInCluster()).toEqual(["drv-exec-1"]);
});
