import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, test } from "vitest";
import { FakeDriver, SET_KINDS } from "../support/fake-driver.ts";
import { GreedySet } from "../support/greedy-set.ts";
import { KilledOnce, MOMENTS } from "../support/killed-once.ts";
import { startTestGateway } from "../support/test-gateway.ts";

const CEILING = "waiting for 1 CPU in queue default: the ceiling of queue default is reached";

interface Ceiling {
  readonly settings: readonly string[];
  set(cpu: number): void;
}

function ceiling(cpu: number): Ceiling {
  const folder = scratchFolder();
  const text = (most: number): string => `queues:\n  - name: default\n    ceiling: { cpu: ${most} }\n`;
  const file = folder.write("queues.yaml", text(cpu));
  return {
    settings: ["--queues-file", file, "--queues-reload-interval", "1s"],
    set: (most) => void folder.write("queues.yaml", text(most)),
  };
}

describe.each(SET_KINDS)("greedy queue: a %s", (...kind) => {
  test("that asks for thousands gets what its queue has, and all others count as waiting", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { settings: ceiling(120).settings });
    const set = await GreedySet.run(cluster, { kind });
    await set.ask(set.driver.at(gateway), 5_000);
    await set.has(120);
    await eventually(() =>
      expect(gateway.overview().applications[0]?.executors).toMatchObject({ waiting: 4_880, running: 120 }),
    );
  });

  test("that asks for 30 CPUs in a queue of 4 gets 4; the rest is Pending for its driver, and counts as waiting", async () => {
    const cluster = await TestCluster.start();
    const queue = ceiling(4);
    const gateway = await startTestGateway(cluster, { settings: queue.settings });
    const set = await GreedySet.run(cluster, { kind });
    const client = set.driver.at(gateway);
    await set.ask(client, 30);
    await set.has(4);
    await eventually(async () => {
      const pods = await set.executors(client);
      expect(pods.map(({ status }) => status?.phase ?? "").sort()).toEqual([
        ...Array.from({ length: 26 }, () => "Pending"),
        ...Array.from({ length: 4 }, () => "Running"),
      ]);
      const messages = pods.flatMap(({ status }) => status?.conditions ?? []).map(({ message }) => message);
      expect(messages.filter((message) => message === CEILING)).toHaveLength(26);
    });
    expect(await set.asked(client)).toEqual([30, 30]);
    expect(gateway.overview()).toMatchObject({
      queues: [{ used: { cpu: 4_000 }, waitingExecutors: 26 }],
      applications: [{ executors: { waiting: 26, running: 4 }, waits: [CEILING] }],
    });
    expect(gateway.overview().applications[0]?.virtualExecutors).toHaveLength(26);
    const metrics = await (await fetch(new URL("metrics", gateway.adminUri))).text();
    expect(metrics).toContain('gateway_queue_executors_waiting{queue="default"} 26');
    expect(metrics).toContain("gateway_executors_waiting 26");

    queue.set(6);
    await set.has(6);
    await eventually(async () => expect(await set.executors(client)).toHaveLength(30));
    expect(set.mostReplicas).toBe(6);
  });

  test("is scaled: of fewer, those that wait go first, and of more, no more come than may", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { settings: ceiling(4).settings });
    const set = await GreedySet.run(cluster, { kind });
    const client = set.driver.at(gateway);
    await set.ask(client, 30);
    await set.has(4);
    const before = (await set.driver.executorsInCluster()).sort();
    await set.scale(client, 5);
    await eventually(async () => expect(await set.executors(client)).toHaveLength(5));
    expect((await set.driver.executorsInCluster()).sort()).toEqual(before);
    await set.scale(client, 2);
    await set.has(2);
    await eventually(async () => expect(await set.executors(client)).toHaveLength(2));
    await set.scale(client, 9);
    await set.has(4);
    await eventually(async () => expect(await set.executors(client)).toHaveLength(9));
    expect(await set.asked(client)).toEqual([9, 9]);
    expect(set.mostReplicas).toBe(4);
  });

  test("waits on with the next gateway, though its driver does not ask again", async () => {
    const cluster = await TestCluster.start();
    const queue = ceiling(2);
    const first = await startTestGateway(cluster, { settings: queue.settings });
    const set = await GreedySet.run(cluster, { kind });
    await set.ask(set.driver.at(first), 5);
    await set.has(2);
    await first.stop();
    queue.set(3);
    const second = await startTestGateway(cluster, { settings: queue.settings });
    await set.has(3);
    await eventually(() => {
      expect(second.overview().applications).toMatchObject([{ executors: { waiting: 2, running: 3 } }]);
    });
    const client = set.driver.at(second);
    await eventually(async () => expect(await set.executors(client)).toHaveLength(5));
    expect(await set.asked(client)).toEqual([5, 5]);
  });
});

test("greedy queue: 20,000 replicas are 4 in the cluster, and their driver is told of the first ones", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ceiling(4).settings });
  const set = await GreedySet.run(cluster);
  const client = set.driver.at(gateway);
  await set.ask(client, 20_000);
  await set.has(4);
  await eventually(async () => expect(await set.executors(client)).toHaveLength(36));
  expect(gateway.overview().applications).toMatchObject([{ executors: { waiting: 19_996, running: 4 } }]);
  expect(await set.asked(client)).toEqual([20_000, 20_000]);
  expect((await client.post(set.driver.path("pods"), set.driver.executor(1))).status).toBe(403);
  expect(set.mostReplicas).toBe(4);
  await set.scale(client, 0);
  await set.has(0);
  await eventually(async () => expect(await set.executors(client)).toEqual([]));
});

test("greedy queue: a driver cannot leave the executors of a set behind, where no queue would count them", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ceiling(4).settings });
  const set = await GreedySet.run(cluster);
  const client = set.driver.at(gateway);
  await set.ask(client, 4);
  await set.has(4);
  const path = `/apis/apps/v1/namespaces/spark-jobs/statefulsets/${set.name}`;
  const answer = await client.delete(path, { propagationPolicy: "Orphan" });
  expect(answer.status).toBe(400);
  expect(answer.body["message"]).toMatch(/propagationPolicy may be Background or Foreground/);
  await set.has(4);
  expect((await client.delete(path, { propagationPolicy: "Foreground" })).status).toBe(200);
  await eventually(async () => expect(await set.driver.executorsInCluster()).toEqual([]));
});

test("greedy queue: executors of a set wait behind those of a higher priority", async () => {
  const cluster = await TestCluster.start();
  const queue = ceiling(2);
  const gateway = await startTestGateway(cluster, { settings: queue.settings });
  const set = await GreedySet.run(cluster);
  await set.ask(set.driver.at(gateway), 30);
  await set.has(2);
  const urgent = await FakeDriver.run(cluster, "urgent", { annotations: { "scheduler.kindling/priority": "5" } });
  const pod = urgent.anExecutor(1).requests({ cpu: "1" }).build();
  expect((await urgent.at(gateway).post(urgent.path("pods"), pod)).status).toBe(201);
  queue.set(3);
  await urgent.made("urgent-exec-1");
  expect(await set.replicas()).toBe(2);
});

test("greedy queue: what is admitted is told to the cluster as often as it takes", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ceiling(4).settings });
  const set = await GreedySet.run(cluster);
  let faults = 3;
  cluster.api.fault = ({ method }) => {
    if (method !== "PATCH" || faults === 0) return undefined;
    faults -= 1;
    return { kind: "reset", carriedOut: faults === 1 };
  };
  await set.ask(set.driver.at(gateway), 30);
  await set.has(4);
  expect(set.mostReplicas).toBe(4);
});

describe("greedy queue: a gateway that is killed when it scales a set", () => {
  test.each(MOMENTS)("%s: no more come than may, and no fewer", async (moment) => {
    const cluster = await TestCluster.start();
    const quota = { metadata: { name: "small" }, spec: { hard: { "requests.cpu": "4" } } };
    await cluster.send("POST", "/api/v1/namespaces/spark-jobs/resourcequotas", quota);
    const isScaling = ({ method, path }: SeenRequest): boolean =>
      method === "PATCH" && path.endsWith("/statefulsets/spark-s-spark-drv-0");
    const gateway = await KilledOnce.start(cluster, isScaling, moment);
    const requests = { cpu: "0" };
    const containers = [{ name: "spark-kubernetes-driver", image: "spark", resources: { requests } }];
    const set = await GreedySet.run(cluster, { spec: { containers } });
    await set.ask(set.driver.at(gateway), 6);
    await gateway.killed();
    await set.has(4);
    await eventually(async () => expect(await set.executors(set.driver.at(gateway))).toHaveLength(6));
    expect(set.mostReplicas).toBe(4);
  });
});
