import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { startTestGateway } from "./support/test-gateway.ts";

const PATH = "/api/v1/namespaces/spark-jobs/pods";

function driver(name: string, ...gates: readonly string[]): Pod {
  return aPod(name)
    .in("spark-jobs")
    .driver()
    .gated(...gates)
    .build();
}

test("a driver that waits for the gateway starts, whether it came before the gateway or after", async () => {
  const cluster = await TestCluster.start();
  const early = driver("early", "scheduler.kindling/admission");
  await cluster.send("POST", PATH, early);
  await startTestGateway(cluster);
  await cluster.inPhase(early, "Running");
  const late = await cluster.createPod(driver("late", "scheduler.kindling/admission"), "Running");
  expect(late.spec?.schedulingGates ?? []).toEqual([]);
});

test("the gates of others stay closed", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  const held = driver("held", "example.com/budget", "scheduler.kindling/admission");
  await cluster.send("POST", PATH, held);
  await eventually(async () => {
    const { spec } = (await cluster.send("GET", `${PATH}/held`)) as Pod;
    expect(spec?.schedulingGates).toEqual([{ name: "example.com/budget" }]);
  });
});
