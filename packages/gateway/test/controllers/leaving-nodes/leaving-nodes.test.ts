import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../../support/fake-application.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

/** Two nodes, and an application that has room on the second one only. */
async function started(isDecommissioned: boolean, executors = 1) {
  const cluster = await TestCluster.start({
    nodes: [
      { name: "one", cpu: "500m" },
      { name: "two", cpu: "6" },
    ],
  });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"] });
  const app = await FakeApplication.submit(cluster, gateway, "app", { executors, isDecommissioned });
  await app.started();
  await app.ask(executors);
  await app.hasRunning(executors);
  return { cluster, app };
}

async function executorsOn(cluster: TestCluster, node: string): Promise<Pod[]> {
  const pods = await cluster.objects<Pod>("Pod");
  return pods.filter(
    ({ metadata, spec }) => metadata?.labels?.["spark-role"] === "executor" && spec?.nodeName === node,
  );
}

async function eventsOf(cluster: TestCluster, reason: string): Promise<string[]> {
  const { items } = (await cluster.send("GET", "/api/v1/events")) as {
    items: { reason: string; message: string; involvedObject: { name: string } }[];
  };
  return items.filter((one) => one.reason === reason).map(({ message }) => message);
}

test("executors that can move their blocks are asked to leave as soon as their node is announced to go", async () => {
  const { cluster } = await started(true);
  const before = await executorsOn(cluster, "two");
  expect(before.length).toBeGreaterThan(0);
  const taints = [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }];
  await cluster.send("PATCH", "/api/v1/nodes/two", { spec: { taints } });
  await eventually(async () => expect(await executorsOn(cluster, "two")).toEqual([]));
  const one = expect.stringContaining("its node two goes (karpenter.sh/disrupted)");
  await eventually(async () => expect(await eventsOf(cluster, "NodeLeaves")).toEqual(before.map(() => one)));
});

test("if an application has executors on no other node, half of them leave, and the others are not evicted before", async () => {
  const { cluster } = await started(true, 4);
  const before = await executorsOn(cluster, "two");
  expect(before).toHaveLength(4);
  await cluster.send("PATCH", "/api/v1/nodes/two", { spec: { unschedulable: true } });
  const [waiting] = await eventually(async () => {
    const left = await executorsOn(cluster, "two");
    expect(left).toHaveLength(2);
    return left;
  });
  const { name, namespace } = waiting?.metadata ?? {};
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
  await expect(cluster.send("POST", path, eviction)).rejects.toThrow(/429.*kindling-leaving/);
  await eventually(async () => expect(await eventsOf(cluster, "NodeLeaves")).toHaveLength(2));

  await cluster.send("PATCH", "/api/v1/nodes/two", { spec: { unschedulable: false } });
  await eventually(async () => {
    expect(await cluster.send("GET", "/apis/policy/v1/poddisruptionbudgets")).toMatchObject({ items: [] });
  });
  expect(await executorsOn(cluster, "two")).toHaveLength(2);
});

test("executors that would lose their work by it stay until their node is gone", async () => {
  const { cluster } = await started(false);
  const before = await executorsOn(cluster, "two");
  await cluster.send("PATCH", "/api/v1/nodes/two", { spec: { unschedulable: true } });
  // The node is looked at each second as long as executors are there.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await executorsOn(cluster, "two")).toHaveLength(before.length);
  expect(await eventsOf(cluster, "NodeLeaves")).toEqual([]);
});
