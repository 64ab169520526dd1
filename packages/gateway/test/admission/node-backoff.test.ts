import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { expect, test } from "vitest";
import { FakeApplication } from "../support/fake-application.ts";
import { startTestGateway } from "../support/test-gateway.ts";

test("a node that has killed three executors gets no more for a while", async () => {
  const cluster = await TestCluster.start({ nodes: [{ name: "bad", cpu: "8" }] });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"] });
  const application = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
  await application.started();
  await application.ask(3);
  await application.hasRunning(3);
  for (const { metadata } of await application.executors()) {
    const path = application.driver.path("pods", metadata?.name);
    await cluster.send("PATCH", `${path}/status`, { status: { phase: "Failed", reason: "Evicted" } });
  }
  await application.hasRunning(0);
  await application.ask(1);
  await expect.poll(() => gateway.overview().applications[0]?.waits).toHaveLength(1);
  expect(await application.running()).toBe(0);
});
