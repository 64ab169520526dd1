import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../../support/fake-application.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

/** Two nodes, and an application whose two executors are on the second one. */
async function started(isDecommissioned: boolean) {
  const cluster = await TestCluster.start({
    nodes: [
      { name: "one", cpu: "1" },
      { name: "two", cpu: "4" },
    ],
  });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"] });
  const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 2, isDecommissioned });
  await app.started();
  await app.ask(2);
  await app.hasRunning(2);
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

test("executors that would lose their work by it stay until their node is gone", async () => {
  const { cluster } = await started(false);
  const before = await executorsOn(cluster, "two");
  await cluster.send("PATCH", "/api/v1/nodes/two", { spec: { unschedulable: true } });
  // The node is looked at each second as long as executors are there.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await executorsOn(cluster, "two")).toHaveLength(before.length);
  expect(await eventsOf(cluster, "NodeLeaves")).toEqual([]);
});
