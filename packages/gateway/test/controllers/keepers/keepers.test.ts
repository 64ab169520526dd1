import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver, items, names } from "../../support/fake-driver.ts";
import { startTestGateway, type TestGateway } from "../../support/test-gateway.ts";

const SHUFFLE = "kindling-shuffle";
const SPARK = "spark-kubernetes-executor";
const HOLLOW = "hollow.devcluster.kindling/";
const MEMORY = 1024 ** 3;
const SMALL = 4 * 1024 ** 2;
const SERVER = 96 * 1024 ** 2;

/** An executor with a shuffle server, as the gateway makes it; annotations decide how long its containers run. */
function executor(driver: FakeDriver, id: number, annotations: Readonly<Record<string, string>> = {}): Pod {
  const resources = (memory: string) => ({ requests: { cpu: "100m", memory }, limits: { memory } });
  return driver
    .anExecutor(id)
    .annotations(Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${HOLLOW}${name}`, value])))
    .spec({
      restartPolicy: "Never",
      containers: [
        { name: SHUFFLE, image: "localizer", resources: resources("96Mi") },
        { name: SPARK, image: "spark", resources: resources("1Gi") },
      ],
    })
    .build();
}

interface Scene {
  readonly cluster: TestCluster;
  readonly gateway: TestGateway;
  readonly driver: FakeDriver;
  readonly ask: (id: number, annotations?: Readonly<Record<string, string>>) => Promise<void>;
  readonly pod: (id: number) => Promise<Pod>;
  readonly delete: (id: number) => Promise<number>;
  /** The executors that the driver sees, with their phases. */
  readonly seen: () => Promise<string[]>;
  readonly memoryOf: (id: number) => Promise<string | undefined>;
  /** Ends the executor alone, and waits until its driver sees that. */
  readonly end: (id: number, exitCode?: number) => Promise<void>;
}

async function scene(settings: readonly string[] = [], pods = "110"): Promise<Scene> {
  const cluster = await TestCluster.start({ nodes: [{ name: "one", cpu: "8", memory: "16Gi", pods }] });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes", ...settings] });
  const driver = await FakeDriver.run(cluster, "drv", { labels: { "scheduler.kindling/gateway": "true" } });
  const client = driver.at(gateway);
  const name = (id: number): string => `drv-exec-${id}`;
  const pod = async (id: number): Promise<Pod> => (await cluster.send("GET", driver.path("pods", name(id)))) as Pod;
  const memoryOf = async (id: number): Promise<string | undefined> => {
    const { spec } = await pod(id);
    return spec?.containers.find((one) => one.name === SPARK)?.resources?.requests?.["memory"];
  };
  const seen = async (): Promise<string[]> => {
    const answer = await client.get(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
    return items(answer).map(({ metadata, status }) => `${metadata?.name} ${status?.phase}`);
  };
  return {
    ...{ cluster, gateway, driver, pod, seen },
    async ask(id, annotations) {
      const { status } = await client.post(driver.path("pods"), executor(driver, id, annotations));
      expect(status).toBe(201);
      await cluster.inPhase(await driver.made(name(id)), "Running");
    },
    delete: async (id) => (await client.delete(driver.path("pods", name(id)))).status,
    memoryOf,
    async end(id, exitCode = 0) {
      cluster.end(await pod(id), exitCode, exitCode === 0 ? "Completed" : "Error", SPARK);
      const phase = exitCode === 0 ? "Succeeded" : "Failed";
      await eventually(async () => expect(await seen()).toContain(`${name(id)} ${phase}`));
    },
  };
}

function used({ gateway }: Scene): number | undefined {
  return gateway.overview().queues.at(-1)?.used["memory"];
}

describe("the pod of an executor with a shuffle server", () => {
  test("stays when the executor has ended and its driver lets it go, and gives its room back", async () => {
    const it = await scene();
    await it.ask(1);
    await it.end(1);
    expect(await it.seen()).toEqual(["drv-exec-1 Succeeded"]);
    expect(await it.delete(1)).toBe(200);
    expect(await it.seen()).toEqual([]);
    const { metadata, status } = await it.pod(1);
    expect(metadata?.labels).toMatchObject({ "gateway.kindling/keeper": "true", "spark-role": "executor" });
    expect(status?.phase).toBe("Running");
    await eventually(() => expect(used(it)).toBe(SMALL + SERVER));
    expect(await it.memoryOf(1)).toBe("4Mi");
  });

  test("keeps its size until its driver lets it go, because that says how much memory was too little", async () => {
    const it = await scene();
    await it.ask(1);
    await it.ask(2);
    await it.end(1, 3);
    await it.end(2, 3);
    await it.delete(2);
    await eventually(async () => expect(await it.memoryOf(2)).toBe("4Mi"));
    expect(await it.memoryOf(1)).toBe("1Gi");
  });

  test("stays when the driver names executors by their ids, and goes when the driver deletes all", async () => {
    const it = await scene();
    const { driver, gateway } = it;
    await it.ask(1);
    await it.ask(2);
    await it.end(1);
    const client = driver.at(gateway);
    const selector = `${driver.executorSelector}${encodeURIComponent(",spark-exec-id in (1)")}`;
    await client.delete(`${driver.path("pods")}?labelSelector=${selector}`);
    expect(await it.seen()).toEqual(["drv-exec-2 Running"]);
    // Spark repeats this for executors that have gone already.
    await client.delete(`${driver.path("pods")}?labelSelector=${selector}`);
    expect((await it.pod(1)).metadata?.deletionTimestamp).toBeUndefined();
    await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
    await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
  });

  test("is told to end its executor if that still runs", async () => {
    const it = await scene();
    await it.ask(1);
    expect(await it.delete(1)).toBe(200);
    expect((await it.pod(1)).metadata).toMatchObject({ labels: { "gateway.kindling/keeper": "leaving" } });
    expect(await it.seen()).toEqual(["drv-exec-1 Running"]);
    expect(used(it)).toBe(MEMORY + SERVER);
  });

  test("goes when its server has ended, because no file is wanted any more", async () => {
    const it = await scene();
    await it.ask(1);
    await it.end(1, 137);
    await it.delete(1);
    it.cluster.end(await it.pod(1), 0, "Completed", SHUFFLE);
    await eventually(async () => expect(await it.driver.executorsInCluster()).toEqual([]));
  });

  test("goes when its application has ended", async () => {
    const it = await scene();
    await it.ask(1);
    await it.end(1);
    await it.delete(1);
    it.cluster.end(it.driver.pod, 0);
    await eventually(async () => expect(await it.driver.executorsInCluster()).toEqual([]));
  });

  test("goes when its application has ended before it could let the executor go", async () => {
    const it = await scene();
    await it.ask(1);
    await it.end(1, 1);
    it.cluster.end(it.driver.pod, 1);
    await eventually(async () => expect(await it.driver.executorsInCluster()).toEqual([]));
  });

  test("is deleted with its executor if it serves no files, or its node is announced to go", async () => {
    const it = await scene();
    await it.ask(1);
    await it.ask(2);
    it.cluster.end(await it.pod(1), 1, "Error", SHUFFLE);
    await it.cluster.send("PATCH", "/api/v1/nodes/one", { spec: { unschedulable: true } });
    await eventually(async () => {
      for (const id of [1, 2]) await it.delete(id);
      expect(await it.driver.executorsInCluster()).toEqual([]);
    });
  });

  test("is deleted if its queue has too many of them: the oldest goes first", async () => {
    const it = await scene(["--keepers-per-queue", "1"]);
    for (const id of [1, 2]) {
      await it.ask(id);
      await it.end(id);
      await it.delete(id);
      // Times of containers have whole seconds.
      if (id === 1) await new Promise((resolve) => setTimeout(resolve, 1100));
    }
    await eventually(async () => expect(await it.driver.executorsInCluster()).toEqual(["drv-exec-2"]));
  });

  test("goes when executors of its queue lack what it holds", async () => {
    const it = await scene(["--keepers-give-way-after", "1s"], "2");
    const { driver, gateway } = it;
    await it.ask(1);
    await it.end(1);
    await it.delete(1);
    const client = driver.at(gateway);
    await client.post(driver.path("pods"), executor(driver, 2));
    await it.cluster.inPhase(await driver.made("drv-exec-2"), "Running");
    expect(await driver.executorsInCluster()).toEqual(["drv-exec-2"]);
  });

  test("is known to a new gateway", async () => {
    const it = await scene();
    await it.ask(1);
    await it.end(1);
    await it.delete(1);
    await it.gateway.stop();
    const next = await startTestGateway(it.cluster, { settings: ["--capacity", "nodes"] });
    const client = it.driver.at(next);
    const path = `${it.driver.path("pods")}?labelSelector=${it.driver.executorSelector}`;
    await eventually(async () => expect((await client.get(path)).status).toBe(200));
    expect(names(await client.get(path))).toEqual([]);
    await eventually(() => expect(next.overview().queues.at(-1)?.used["memory"]).toBe(SMALL + SERVER));
  });
});

test("an executor that keeps its shuffle is not in the way of a driver's deletion of pending ones", async () => {
  const it = await scene();
  const client = it.driver.at(it.gateway);
  const waiting = executor(it.driver, 1, { [`${SPARK}.start-after`]: "60s" });
  await client.post(it.driver.path("pods"), waiting);
  await it.driver.made("drv-exec-1");
  expect(await it.delete(1)).toBe(200);
  await eventually(async () => expect(await it.driver.executorsInCluster()).toEqual([]));
});
