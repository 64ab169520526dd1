import { formatMemoryRuns, type MemoryRun, parseMemoryRuns } from "@kindling/gateway-client";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver } from "../../support/fake-driver.ts";
import { startTestGateway } from "../../support/test-gateway.ts";
import { onThisMachine, startWebUi, wantedExecutor } from "./memory-scene.ts";

const CONFIG_MAPS = "/api/v1/namespaces/spark-jobs/configmaps";
const ASKED = { heap: 1024, total: 1408 };

const GROWN: MemoryRun = {
  ...{ at: "2026-11-30T05:00:00Z", hasSucceeded: true, executors: 1, peak: undefined },
  ...{ asked: ASKED, began: ASKED, ended: { heap: 1536, total: 1920 } },
};

interface MemoryAnnotation {
  readonly profiles?: Readonly<Record<string, { readonly now: object }>>;
}

async function runDriver(cluster: TestCluster, wish: object): Promise<FakeDriver> {
  const known = { mode: "learn", taskCpus: 1, attempts: 4, ...wish };
  return await FakeDriver.run(cluster, "drv", {
    annotations: { "scheduler.kindling/memory": JSON.stringify(known) },
    labels: { "scheduler.kindling/gateway": "true", "spark-app-name": "nightly" },
  });
}

async function remember(cluster: TestCluster, runs: readonly MemoryRun[]): Promise<void> {
  const data = { "runs.json": formatMemoryRuns(runs) };
  await cluster.send("POST", CONFIG_MAPS, { metadata: { name: "kindling-memory-nightly" }, data });
}

async function remembered(cluster: TestCluster): Promise<readonly MemoryRun[]> {
  const { data } = (await cluster.send("GET", `${CONFIG_MAPS}/kindling-memory-nightly`)) as ConfigMap;
  return parseMemoryRuns(data?.["runs.json"]);
}

function sizeOf({ spec }: Pod): readonly (string | undefined)[] {
  const [container] = spec?.containers ?? [];
  const heap = container?.env?.find(({ name }) => name === "SPARK_EXECUTOR_MEMORY")?.value;
  return [heap, container?.resources?.limits?.["memory"]];
}

test.each<[string, object, readonly string[]]>([
  ["begins as the last run ended", {}, ["1536m", "1920Mi"]],
  ["begins as it asks for, if it only heals", { mode: "heal" }, ["1024m", "1408Mi"]],
  ["has no more than it may have", { max: 1800 }, ["1536m", "1800Mi"]],
])("an application that %s", async (_, wish, size) => {
  const cluster = await TestCluster.start();
  await remember(cluster, [GROWN]);
  const driver = await runDriver(cluster, wish);
  const gateway = await startTestGateway(cluster);
  await driver.at(gateway).post(driver.path("pods"), wantedExecutor(driver, 1));
  expect(sizeOf(await driver.made("drv-exec-1"))).toEqual(size);
});

test("the driver's pod says with which size the executors began", async () => {
  const cluster = await TestCluster.start();
  await remember(cluster, [GROWN]);
  const driver = await runDriver(cluster, {});
  const gateway = await startTestGateway(cluster);
  await driver.at(gateway).post(driver.path("pods"), wantedExecutor(driver, 1));
  await eventually(async () => {
    const { metadata } = (await cluster.send("GET", driver.path("pods", "drv"))) as Pod;
    const { profiles } = JSON.parse(metadata?.annotations?.["gateway.kindling/memory"] ?? "{}") as MemoryAnnotation;
    expect(profiles?.["0"]?.now).toEqual({ heap: 1536, total: 1920, slots: 2 });
  });
});

test("the end of a run is remembered, with what its executors used", async () => {
  const MIB = 1024 * 1024;
  const peakMemoryMetrics = { JVMHeapMemory: 300 * MIB, ProcessTreeJVMRSSMemory: 700 * MIB };
  const asked: string[] = [];
  const uiPort = await startWebUi((path) => {
    asked.push(path);
    return [{ id: "1", peakMemoryMetrics }];
  });
  const cluster = await TestCluster.start();
  const driver = await runDriver(cluster, { uiPort });
  await onThisMachine(cluster, driver);
  const gateway = await startTestGateway(cluster);
  await driver.at(gateway).post(driver.path("pods"), wantedExecutor(driver, 1));
  await driver.made("drv-exec-1");
  await eventually(() => expect(asked).toContain("/api/v1/applications/spark-drv/allexecutors"), { timeout: 30_000 });
  cluster.end(driver.pod, 0);
  await eventually(async () => {
    const [run, more] = await remembered(cluster);
    expect(more).toBeUndefined();
    expect(run).toMatchObject({ hasSucceeded: true, executors: 1, asked: ASKED, began: ASKED, ended: ASKED });
    expect(run?.peak).toEqual({ heap: 300, total: 700 });
  });
});
