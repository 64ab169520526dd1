import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { Random } from "@kindling/test-kit/random";
import { someRounds } from "@kindling/test-kit/rounds";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { KARPENTER, WrittenKarpenter } from "../support/karpenter.ts";
import { PersistentDriver } from "../support/persistent-driver.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const ROUNDS = Array.from({ length: 100 }, (_, index) => index + 1);
const EXECUTORS = 3;
const ACTIONS = 40;
const SETTINGS = ["--capacity", "auto", "--capacity-node-timeout", "1s", "--queues-preemption-grace", "1s"];

test.each(someRounds("nodes", ROUNDS))(
  "whatever nodes and NodePools do, applications get their executors once it is over (round %i)",
  async (round) => {
    const cluster = await TestCluster.start({ nodes: [{ name: "system", cpu: "2" }], definitions: KARPENTER });
    const karpenter = new WrittenKarpenter(cluster);
    await karpenter.pool("spark", { cpu: "16" });
    const gateway = await startTestGateway(cluster, { settings: SETTINGS });
    const drivers = await Promise.all([startDriver(cluster, gateway, "one"), startDriver(cluster, gateway, "two")]);
    const nodes = new Misbehaving(cluster, karpenter, new Random(round));
    for (let count = 0; count < ACTIONS; count++) {
      await nodes.act();
      await Promise.all(drivers.map(({ persistent }) => persistent.asks(EXECUTORS)));
      for (const { driver } of drivers) await isConsistent(cluster, driver);
    }
    await nodes.behave();
    for (const { driver, persistent } of drivers) {
      await persistent.has(EXECUTORS);
      await eventually(async () => expect(await driver.executorsInCluster()).toHaveLength(EXECUTORS));
    }
    expect(gateway.overview().applications.flatMap(({ waits }) => waits)).toEqual([]);
  },
);

interface StartedDriver {
  readonly driver: FakeDriver;
  readonly persistent: PersistentDriver;
}

async function startDriver(cluster: TestCluster, gateway: TestGateway, name: string): Promise<StartedDriver> {
  const driver = await FakeDriver.run(cluster, name, {
    labels: { "scheduler.kindling/gateway": "true" },
    spec: { containers: [{ name: "spark-kubernetes-driver", image: "spark" }] },
  });
  const containers = [{ name: "spark-kubernetes-executor", image: "spark", resources: { requests: { cpu: "1" } } }];
  const persistent = new PersistentDriver(
    driver,
    () => gateway.uri,
    (id) => driver.executor(id, { spec: { containers } }),
  );
  return { driver, persistent };
}

/** No executor is there twice, and there are not more than the driver wants. */
async function isConsistent(cluster: TestCluster, driver: FakeDriver): Promise<void> {
  const pods = await cluster.objects<Pod>("Pod");
  const ids = pods
    .filter((pod) => pod.metadata?.labels?.["spark-app-selector"] === driver.app && isStandingExecutor(pod))
    .map(({ metadata }) => metadata?.labels?.["spark-exec-id"]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeLessThanOrEqual(EXECUTORS);
}

function isStandingExecutor({ metadata, status }: Pod): boolean {
  return (
    metadata?.labels?.["spark-role"] === "executor" &&
    metadata.deletionTimestamp === undefined &&
    status?.phase !== "Failed" &&
    status?.phase !== "Succeeded"
  );
}

/** Nodes that come, go, shrink and flap, and NodePools that lie. */
class Misbehaving {
  readonly #cluster: TestCluster;
  readonly #karpenter: WrittenKarpenter;
  readonly #random: Random;
  readonly #names: string[] = [];
  #count = 0;

  constructor(cluster: TestCluster, karpenter: WrittenKarpenter, random: Random) {
    this.#cluster = cluster;
    this.#karpenter = karpenter;
    this.#random = random;
  }

  async act(): Promise<void> {
    const changes: readonly (() => Promise<unknown>)[] = [
      () => this.#come({ "karpenter.sh/nodepool": "spark" }),
      () => this.#come({ "karpenter.sh/nodepool": "spark" }),
      () => this.#come({}),
      () => this.#orderOnly(),
      () => this.#go(),
      () => this.#patchNode({ spec: { unschedulable: true } }),
      () => this.#patchNode({ spec: { unschedulable: false } }),
      () => this.#patchNode({ spec: { taints: [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] } }),
      () => this.#patchNode({ spec: { taints: [] } }),
      () => this.#patchNode({ metadata: { labels: { "karpenter.sh/nodepool": null } } }),
      () => this.#patchNode({ status: { allocatable: { cpu: "1" }, capacity: { cpu: "1" } } }, "/status"),
      () => this.#patchNode({ status: { conditions: [{ type: "Ready", status: "False" }] } }, "/status"),
      () => this.#patchNode({ status: { conditions: [{ type: "Ready", status: "True" }] } }, "/status"),
      () => this.#patchPool({ spec: { limits: { cpu: this.#random.pick(["0", "-4", "lots", "1000"]) } } }),
      () => this.#patchPool({ status: { resources: { cpu: this.#random.pick(["0", "16", "9999"]) } } }),
      () => this.#renewPool(),
    ];
    await this.#random.pick(changes)();
  }

  /** A NodePool that tells the truth, and a node with room for all. */
  async behave(): Promise<void> {
    await this.#renewPool();
    await this.#come({ "karpenter.sh/nodepool": "spark" }, "8");
  }

  async #come(labels: Readonly<Record<string, string>>, cpu = "2"): Promise<void> {
    const name = `node-${++this.#count}`;
    this.#names.push(name);
    this.#cluster.devCluster.addNode({ name, cpu, labels });
    await Promise.resolve();
  }

  async #orderOnly(): Promise<void> {
    await this.#karpenter.order(`never-${++this.#count}`, "spark", "2");
  }

  async #go(): Promise<void> {
    if (this.#names.length === 0) return;
    const [name] = this.#names.splice(this.#random.below(this.#names.length), 1);
    await this.#cluster.send("DELETE", `/api/v1/nodes/${name}`);
  }

  async #patchNode(patch: object, subresource = ""): Promise<void> {
    if (this.#names.length === 0) return;
    await this.#cluster.send("PATCH", `/api/v1/nodes/${this.#random.pick(this.#names)}${subresource}`, patch);
  }

  async #patchPool(patch: object): Promise<void> {
    await this.#cluster.send("PATCH", "/apis/karpenter.sh/v1/nodepools/spark", patch);
  }

  async #renewPool(): Promise<void> {
    await this.#cluster.send("DELETE", "/apis/karpenter.sh/v1/nodepools/spark");
    await this.#karpenter.pool("spark", { cpu: "16" });
  }
}
