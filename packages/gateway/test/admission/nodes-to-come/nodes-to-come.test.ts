import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../../support/fake-application.ts";
import { KARPENTER, WrittenKarpenter } from "../../support/karpenter.ts";
import { startTestGateway, type TestGateway } from "../../support/test-gateway.ts";

/** A node on which no driver has room, and a NodePool. */
async function clusterWithPool(limits: Readonly<Record<string, string>>) {
  const cluster = await TestCluster.start({ nodes: [{ name: "system", cpu: "100m" }], definitions: KARPENTER });
  const karpenter = new WrittenKarpenter(cluster);
  await karpenter.pool("spark", limits);
  return { cluster, karpenter };
}

async function executorsOf(cluster: TestCluster): Promise<Pod[]> {
  const pods = await cluster.objects<Pod>("Pod");
  return pods.filter(({ metadata }) => metadata?.labels?.["spark-role"] === "executor");
}

function waitsOf(gateway: TestGateway): readonly string[] {
  return gateway.overview().applications.flatMap(({ waits }) => waits);
}

test("an application starts from no nodes: what may still come is room, and its pods are there for the autoscaler", async () => {
  const { cluster, karpenter } = await clusterWithPool({ cpu: "8" });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "auto"] });
  const application = await FakeApplication.submit(cluster, gateway, "app", { executors: 2 });
  await eventually(async () => expect(await application.isGated()).toBe(false));
  await eventually(() => expect(waitsOf(gateway)).toEqual(["waiting for a node: the driver"]));
  await karpenter.order("node-1", "spark", "2");
  await eventually(() => expect(waitsOf(gateway)).toEqual(["waiting for a node: the driver; 1 node is coming"]));
  await karpenter.deliver("node-1", "spark", "2");
  await application.started();
  // One executor has room beside the driver. The other one is a real pod all the same, so that a node is added for it.
  await application.ask(2);
  await application.hasRunning(1);
  await eventually(async () => expect(await executorsOf(cluster)).toHaveLength(2));
  await karpenter.order("node-2", "spark", "2");
  await karpenter.deliver("node-2", "spark", "2");
  await application.hasRunning(2);
  await application.finish();
});

test("executors beyond what may come stay virtual, and say which limit is in the way", async () => {
  const { cluster, karpenter } = await clusterWithPool({ cpu: "4" });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "auto"] });
  const application = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
  await eventually(async () => expect(await application.isGated()).toBe(false));
  await karpenter.order("node-1", "spark", "4");
  await karpenter.deliver("node-1", "spark", "4");
  await application.started();
  await application.ask(9);
  await application.hasRunning(3);
  expect(await executorsOf(cluster)).toHaveLength(3);
  await eventually(() =>
    expect(waitsOf(gateway)).toEqual([expect.stringContaining("NodePool spark is at its limit of 4 CPUs")]),
  );
});

test("a driver of one NodePool starts with executors of another, as it announces them", async () => {
  const { cluster, karpenter } = await clusterWithPool({ cpu: "4" });
  await karpenter.pool("drivers", { cpu: "2" });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "auto"] });
  const nodes = {
    driver: { "karpenter.sh/nodepool": "drivers" },
    executors: { "karpenter.sh/nodepool": "spark" },
  };
  const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 3, nodes });
  const large = await FakeApplication.submit(cluster, gateway, "large", { executors: 5, nodes });
  await eventually(async () => expect(await app.isGated()).toBe(false));
  await karpenter.order("driver-1", "drivers", "2");
  await karpenter.deliver("driver-1", "drivers", "2");
  await app.started();
  await app.ask(3);
  await karpenter.order("node-1", "spark", "4");
  await karpenter.deliver("node-1", "spark", "4");
  await app.hasRunning(3);
  expect(await large.isGated()).toBe(true);
  await eventually(() =>
    expect(waitsOf(gateway)).toEqual([expect.stringContaining("; NodePool spark is at its limit of 4 CPUs; ")]),
  );
});

test("executors for which no node comes are given up, and wait in their queue until the NodePool is tried again", async () => {
  const { cluster, karpenter } = await clusterWithPool({ cpu: "8" });
  const gateway = await startTestGateway(cluster, {
    settings: ["--capacity", "auto", "--capacity-node-timeout", "2s"],
  });
  const application = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
  await eventually(async () => expect(await application.isGated()).toBe(false));
  await karpenter.order("node-1", "spark", "1");
  await karpenter.deliver("node-1", "spark", "1");
  await application.started();
  await application.ask(1);
  await eventually(async () => expect(await executorsOf(cluster)).toHaveLength(1));
  await eventually(async () => expect(await executorsOf(cluster)).toHaveLength(0), { timeout: 20_000 });
  // A real driver asks for another executor by itself.
  await application.ask(1);
  await eventually(() =>
    expect(waitsOf(gateway)).toEqual([expect.stringContaining("NodePool spark did not give a node for such a pod")]),
  );
  expect(await executorsOf(cluster)).toEqual([]);
  await karpenter.order("node-2", "spark", "1");
  await karpenter.deliver("node-2", "spark", "1");
  await application.hasRunning(1);
}, 60_000);

test("without Karpenter, and with no right to see what the cluster-autoscaler says, the nodes are all there is", async () => {
  const cluster = await TestCluster.start({ nodes: [{ name: "one", cpu: "2" }] });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "auto"] });
  const application = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
  const large = await FakeApplication.submit(cluster, gateway, "large", { executors: 4 });
  await application.runToItsEnd();
  expect(await large.isGated()).toBe(true);
  expect(gateway.overview().capacity.toCome).toEqual({ nodes: 0, classes: [] });
});

test("a driver for which no node comes goes on waiting, and says so; others like it stay behind their gates", async () => {
  const { cluster, karpenter } = await clusterWithPool({ cpu: "8" });
  const gateway = await startTestGateway(cluster, {
    settings: ["--capacity", "auto", "--capacity-node-timeout", "2s"],
  });
  const first = await FakeApplication.submit(cluster, gateway, "first", { executors: 1 });
  await eventually(async () => expect(await first.isGated()).toBe(false));
  await eventually(async () => {
    const { items } = (await cluster.send("GET", "/api/v1/namespaces/spark-jobs/events")) as {
      items: { reason: string; involvedObject: { name: string } }[];
    };
    expect(items.filter(({ reason }) => reason === "NoNodeForDriver")).toMatchObject([
      { involvedObject: { name: "first" } },
    ]);
  });
  const second = await FakeApplication.submit(cluster, gateway, "second", { executors: 1 });
  await eventually(() =>
    expect(waitsOf(gateway)).toContainEqual(
      expect.stringContaining("NodePool spark did not give a node for such a pod"),
    ),
  );
  expect(await second.isGated()).toBe(true);
  await karpenter.order("node-1", "spark", "8");
  await karpenter.deliver("node-1", "spark", "8");
  await Promise.all([first.started(), second.started()]);
}, 60_000);

test("where nodes come and go, drivers and executors that cannot move their blocks are not to be disrupted", async () => {
  const { cluster, karpenter } = await clusterWithPool({ cpu: "8" });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "auto"] });
  const firm = await FakeApplication.submit(cluster, gateway, "firm", { executors: 1 });
  const movable = await FakeApplication.submit(cluster, gateway, "movable", { executors: 1, isDecommissioned: true });
  await eventually(async () => expect(await movable.isGated()).toBe(false));
  await karpenter.order("node-1", "spark", "8");
  await karpenter.deliver("node-1", "spark", "8");
  await Promise.all([firm.started(), movable.started()]);
  await Promise.all([firm.ask(1), movable.ask(1)]);
  await Promise.all([firm.hasRunning(1), movable.hasRunning(1)]);
  const pods = await cluster.objects<Pod>("Pod");
  const facts = pods.map(({ metadata, spec }) => [
    metadata?.name?.replace(/-[0-9a-f]{8,}.*/, ""),
    metadata?.annotations?.["karpenter.sh/do-not-disrupt"],
    metadata?.annotations?.["cluster-autoscaler.kubernetes.io/safe-to-evict"],
    spec?.terminationGracePeriodSeconds,
  ]);
  expect(facts.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1))).toEqual([
    ["firm", "true", "false", 30],
    ["firm-exec-1", "true", "false", 30],
    ["movable", "true", "false", 30],
    ["movable-exec-1", undefined, undefined, 600],
  ]);
});
