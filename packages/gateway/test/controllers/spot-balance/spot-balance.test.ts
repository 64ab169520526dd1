import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { fastClock } from "@kindling/test-kit/fast-clock";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../../support/fake-application.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

/** The nodes on which executors are, without those that are leaving. */
async function mixOf(cluster: TestCluster): Promise<Record<string, number>> {
  const mix: Record<string, number> = { cheap: 0, firm: 0 };
  for (const { metadata, spec } of await cluster.objects<Pod>("Pod")) {
    const isThere = metadata?.labels?.["spark-role"] === "executor" && metadata.deletionTimestamp === undefined;
    if (isThere && spec?.nodeName !== undefined) mix[spec.nodeName] = (mix[spec.nodeName] ?? 0) + 1;
  }
  return mix;
}

test("after a driver has given back executors of one kind, too many of the other kind leave, until the mix is right again", async () => {
  const cluster = await TestCluster.start({
    nodes: [
      { name: "cheap", cpu: "20", labels: { "karpenter.sh/capacity-type": "spot" } },
      { name: "firm", cpu: "20", labels: { "karpenter.sh/capacity-type": "on-demand" } },
    ],
  });
  // A minute goes by in a second.
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"], clock: fastClock(60) });
  const app = await FakeApplication.submit(cluster, gateway, "app", {
    executors: 1,
    isDecommissioned: true,
    spot: { share: 0.5, onDemand: ["driver"] },
  });
  await app.started();
  await app.ask(8);
  await app.hasRunning(8);
  expect(await mixOf(cluster)).toEqual({ cheap: 4, firm: 4 });
  const firm = (await cluster.objects<Pod>("Pod")).filter(
    ({ metadata, spec }) => metadata?.labels?.["spark-role"] === "executor" && spec?.nodeName === "firm",
  );
  for (const pod of firm) await cluster.delete(pod, { gracePeriodSeconds: 0 });
  // Two of the four on spot nodes leave, one after the other: then there is one more than the share says.
  await eventually(async () => expect(await mixOf(cluster)).toEqual({ cheap: 2, firm: 0 }));
});
