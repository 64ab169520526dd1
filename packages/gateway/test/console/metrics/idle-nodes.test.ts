import { ManualClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { registerIdleNodes } from "../../../src/console/metrics/idle-nodes.ts";
import { FakeApplication } from "../../support/fake-application.ts";
import { KARPENTER, WrittenKarpenter } from "../../support/karpenter.ts";
import { startTestGateway, type TestGateway } from "../../support/test-gateway.ts";

test("the time of idle nodes is counted from one request for the metrics to the next", async () => {
  const registry = new Registry();
  const clock = new ManualClock();
  let idle = 0;
  registerIdleNodes(registry, clock, () => idle);
  const figures = async (): Promise<string[]> =>
    (await registry.metrics()).split("\n").filter((line) => line.startsWith("gateway_"));
  await clock.advance(10_000);
  expect(await figures()).toEqual(["gateway_idle_node_seconds_total 0", "gateway_idle_nodes 0"]);
  idle = 3;
  await clock.advance(10_000);
  expect(await figures()).toEqual(["gateway_idle_node_seconds_total 30", "gateway_idle_nodes 3"]);
  idle = 0;
  await clock.advance(10_000);
  expect(await figures()).toEqual(["gateway_idle_node_seconds_total 30", "gateway_idle_nodes 0"]);
});

async function idleNodes(gateway: TestGateway): Promise<string | undefined> {
  const text = await (await fetch(new URL("/metrics", gateway.adminUri))).text();
  return /^gateway_idle_nodes (\d+)$/m.exec(text)?.[1];
}

test("a node of a NodePool is idle as long as no pod runs there", async () => {
  const cluster = await TestCluster.start({ nodes: [{ name: "system", cpu: "100m" }], definitions: KARPENTER });
  const karpenter = new WrittenKarpenter(cluster);
  await karpenter.pool("spark", { cpu: "8" });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "auto"] });
  expect(await idleNodes(gateway)).toBe("0");
  await karpenter.order("node-1", "spark", "4");
  await karpenter.deliver("node-1", "spark", "4");
  await eventually(async () => expect(await idleNodes(gateway)).toBe("1"));
  const pods = "/api/v1/namespaces/default/pods";
  const web = { nodeName: "node-of-node-1", containers: [{ name: "c", image: "i" }] };
  await cluster.send("POST", pods, { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: web });
  await eventually(async () => expect(await idleNodes(gateway)).toBe("0"));
  await cluster.send("DELETE", `${pods}/web?gracePeriodSeconds=0`);
  await eventually(async () => expect(await idleNodes(gateway)).toBe("1"));
  const application = await FakeApplication.submit(cluster, gateway, "app", { executors: 0 });
  await application.started();
  await eventually(async () => expect(await idleNodes(gateway)).toBe("0"));
});
