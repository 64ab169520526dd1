import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../../support/fake-application.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

const SPOT = { "karpenter.sh/capacity-type": "spot" };
const ON_DEMAND = { "karpenter.sh/capacity-type": "on-demand" };

async function nodesOf(cluster: TestCluster): Promise<Record<string, string>> {
  const pods = await cluster.objects<Pod>("Pod");
  return Object.fromEntries(pods.map(({ metadata, spec }) => [metadata?.name ?? "", spec?.nodeName ?? ""]));
}

function countOn(nodes: Readonly<Record<string, string>>, node: string): number {
  return Object.entries(nodes).filter(([pod, on]) => pod.includes("-exec-") && on === node).length;
}

test("the driver and the minimum executors are on demand, and the others on spot nodes until the share is reached", async () => {
  const cluster = await TestCluster.start({
    nodes: [
      { name: "cheap", cpu: "20", labels: SPOT },
      { name: "firm", cpu: "20", labels: ON_DEMAND },
    ],
  });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"] });
  const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 2, spot: { share: 0.7 } });
  await app.started();
  await app.ask(10);
  await app.hasRunning(10);
  const nodes = await nodesOf(cluster);
  expect(nodes["app"]).toBe("firm");
  expect([countOn(nodes, "cheap"), countOn(nodes, "firm")]).toEqual([7, 3]);
});

test("a queue sets the share for its applications", async () => {
  const cluster = await TestCluster.start({
    nodes: [
      { name: "cheap", cpu: "20", labels: SPOT },
      { name: "firm", cpu: "20", labels: ON_DEMAND },
    ],
  });
  const folder = scratchFolder({
    "queues.yaml": "queues: [{ name: default, spot: { share: 1, onDemand: [driver] } }]",
  });
  const gateway = await startTestGateway(cluster, {
    settings: ["--capacity", "nodes", "--queues-file", `${folder.path}/queues.yaml`],
  });
  const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 2 });
  await app.started();
  await app.ask(4);
  await app.hasRunning(4);
  const nodes = await nodesOf(cluster);
  expect([nodes["app"], countOn(nodes, "cheap")]).toEqual(["firm", 4]);
});

test("executors take the other kind while no spot node can be had, and without fallback they wait", async () => {
  const cluster = await TestCluster.start({ nodes: [{ name: "firm", cpu: "20", labels: ON_DEMAND }] });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"] });
  const patient = await FakeApplication.submit(cluster, gateway, "patient", {
    spot: { share: 1, fallback: false, onDemand: ["driver"] },
  });
  const flexible = await FakeApplication.submit(cluster, gateway, "flexible", {
    spot: { share: 1, onDemand: ["driver"] },
  });
  await Promise.all([patient.started(), flexible.started()]);
  await Promise.all([patient.ask(2), flexible.ask(2)]);
  await flexible.hasRunning(2);
  expect(await patient.running()).toBe(0);
  cluster.devCluster.addNode({ name: "cheap", cpu: "20", labels: SPOT });
  await patient.hasRunning(2);
  await flexible.ask(2);
  await flexible.hasRunning(4);
  await eventually(async () => expect(countOn(await nodesOf(cluster), "cheap")).toBe(4));
});
